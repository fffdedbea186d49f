"""How a mechanism is built in code: each method writes one entry of a model file."""

from __future__ import annotations

import math
from typing import Any, Callable, Mapping, Optional, Sequence, Union

from . import errors

Number = Union[float, str]
"""A number, or an expression of parameters as text."""
Marker = Union[str, Mapping[str, Any]]
"""The name of a marker or body, or the fields of a marker in place."""
Point = Sequence[float]
"""Two or three coordinates [m]."""
Place = Sequence[Number]
"""The same, as numbers or expressions."""


class Building:
    """The part of :class:`fourbar.Model` that builds."""

    def add(self, section: str, **fields: Any) -> None:
        """Adds an entry to a section."""
        raise NotImplementedError

    def motion_function(self, name: str, function: Callable[[float], Sequence[float]]) -> None:
        """Lets a function compute a motion."""
        raise NotImplementedError

    def force_function(self, name: str, arguments: Sequence[str], function: Callable[..., Any], *, components: int = 1) -> None:
        """Lets a function compute a force."""
        raise NotImplementedError

    # ---- bodies and markers

    def body(self, name: str, mass: Optional[Number] = None, **fields: Any) -> None:
        """A rigid body of a mass [kg], or of ``solids``. Fields: ``inertia``, ``center_of_mass``, ``position``, ``orientation``, ``velocity``,
        ``angular_velocity``, ``exact``, ``solids``."""
        self.add("body", name=name, mass=mass, **fields)

    def bar(
        self,
        name: str,
        start: Place,
        end: Place,
        *,
        mass: Optional[Number] = None,
        density: Optional[Number] = None,
        width: Optional[Number] = None,
        thickness: Optional[Number] = None,
        **fields: Any,
    ) -> None:
        """A straight bar between two global points [m], with two or three coordinates.

        Its body frame sits at ``start`` with x along the bar and z as near to the global z as that allows. ``mass`` [kg] or ``density`` [kg/m^3] says what it weighs, ``width``
        and ``thickness`` [m] its section: a fiftieth of its length if left out. Each number may be an expression of parameters, coordinates too. Other fields are those of
        :meth:`body`."""
        a, b = _place(start, "start"), _place(end, "end")
        if (mass is None) == (density is None):
            raise errors.InvalidTypeError(f'the bar "{name}" has no mass, or two; give either mass or density')
        length: Number
        across: Number
        if any(isinstance(own, str) for own in (*a, *b)):
            way = [_difference(x, y) for x, y in zip(a, b)]
            length = "sqrt(" + " + ".join(f"({own})^2" for own in way) + ")"
            across, frame = f"{length}/50", _written_frame(way)
        else:
            length = math.dist(map(float, a), map(float, b))
            if not length > 0.0:
                raise errors.InvalidValueError(f"'end' is {tuple(end)}, as 'start'; give two different points")
            across, frame = length / 50.0, _frame([(float(y) - float(x)) / length for x, y in zip(a, b)])
        solid: dict[str, Any] = {"type": "bar", "from": [0.0, 0.0, 0.0], "to": [length, 0.0, 0.0]}
        solid |= {"width": across if width is None else width, "thickness": across if thickness is None else thickness}
        solid |= {"density": density} if mass is None else {"mass": mass}
        self.add("body", name=name, solids=[solid], position=a, orientation=frame, **fields)

    def marker(
        self, name: str, body: str, position: Sequence[Number] = (0, 0, 0), *, orientation: Optional[Mapping[str, Any]] = None, frame: str = "body"
    ) -> None:
        """A frame fixed to a body, in the frame of the body or with ``frame="global"`` in the global one [m]."""
        self.add("marker", name=name, body=body, position=list(position), orientation=orientation, frame=frame)

    # ---- joints

    def joint(self, name: str, kind: str, i: Marker, j: Marker, *, at: Optional[Point] = None, **fields: Any) -> None:
        """A joint of a kind of the format between two markers, ``i`` on one body and ``j`` on another.

        With ``at``, a global point [m], both are bodies that it joins there as they are drawn, with axes parallel to the global ones; ``axis`` (with ``at``) is
        the direction of z. Other fields: ``initial``, ``length``, ``pitch``."""
        axis = fields.pop("axis", None)
        if at is not None:
            place: dict[str, Any] = {"position": _point(at, "at"), "frame": "global"}
            if axis is not None:
                place["orientation"] = {"z_axis": _point(axis, "axis")}
            for side in (i, j):
                if not isinstance(side, str):
                    raise errors.InvalidTypeError(f'\'at\' joins two bodies, and a side of the joint "{name}" is a marker; leave out one of them')
            i, j = {"body": i, **place}, {"body": j, **place}
        elif axis is not None:
            raise errors.InvalidTypeError("'axis' is given without 'at'; turn the markers instead")
        self.add("joint", name=name, type=kind, i=i, j=j, **fields)

    def revolute(self, name: str, i: Marker, j: Marker, *, at: Optional[Point] = None, **fields: Any) -> None:
        """Turning about z remains. See :meth:`joint` for ``at`` and ``axis``."""
        self.joint(name, "revolute", i, j, at=at, **fields)

    def prismatic(self, name: str, i: Marker, j: Marker, *, at: Optional[Point] = None, **fields: Any) -> None:
        """Sliding along z of J remains, without turning."""
        self.joint(name, "prismatic", i, j, at=at, **fields)

    def cylindrical(self, name: str, i: Marker, j: Marker, *, at: Optional[Point] = None, **fields: Any) -> None:
        """Sliding along and turning about z of J remain."""
        self.joint(name, "cylindrical", i, j, at=at, **fields)

    def spherical(self, name: str, i: Marker, j: Marker, *, at: Optional[Point] = None, **fields: Any) -> None:
        """Origins coincide."""
        self.joint(name, "spherical", i, j, at=at, **fields)

    def universal(self, name: str, i: Marker, j: Marker, **fields: Any) -> None:
        """Origins coincide, z of I perpendicular to z of J."""
        self.joint(name, "universal", i, j, **fields)

    def fixed(self, name: str, i: Marker, j: Marker, *, at: Optional[Point] = None, **fields: Any) -> None:
        """Nothing moves."""
        self.joint(name, "fixed", i, j, at=at, **fields)

    # ---- motions, forces, inputs, measures

    def motion(
        self, name: str, joint: Optional[str] = None, *, displacement: Any = None, velocity: Any = None, acceleration: Any = None, **fields: Any
    ) -> None:
        """Prescribes the coordinate of a joint (or of markers ``i``, ``j``) by exactly one law: an expression of ``time``, or a function.

        A function of t [s] returns the value and its first and second derivative [rad, m; their rates]."""
        laws = {"displacement": displacement, "velocity": velocity, "acceleration": acceleration}
        for law, own in laws.items():
            if callable(own):
                self.motion_function(name, own)
                laws[law] = 0.0
        self.add("motion", name=name, joint=joint, **laws, **fields)

    def force(self, name: str, kind: str, *, value: Any = None, arguments: Sequence[str] = (), **fields: Any) -> None:
        """A force of a kind of the format (``line_force``, ``axial_torque``, ``force``, ``torque``, ``bushing``, ``beam``, ...).

        ``value`` may be a function of t [s] and the ``arguments``, names of measures and inputs: it returns one number, or three of ``force`` and ``torque``
        [N, N m]."""
        if callable(value):
            vector = kind in ("force", "torque")
            self.force_function(name, arguments, value, components=3 if vector else 1)
            value = [0.0, 0.0, 0.0] if vector else 0.0
        self.add("force", name=name, type=kind, value=value, **fields)

    def spring_damper(
        self,
        name: str,
        i: Marker,
        j: Marker,
        *,
        stiffness: Number = 0.0,
        damping: Number = 0.0,
        free_length: Optional[Number] = None,
        preload: Optional[Number] = None,
    ) -> None:
        """A spring [N/m] and damper [N s/m] along the line between two origins."""
        fields: dict[str, Any] = {"stiffness": stiffness, "damping": damping, "free_length": free_length, "preload": preload}
        self.force(name, "spring_damper", i=i, j=j, **fields)

    def torsion_spring_damper(
        self, name: str, i: Marker, j: Marker, *, stiffness: Number = 0.0, damping: Number = 0.0, free_angle: Optional[Number] = None
    ) -> None:
        """A spring [N m/rad] and damper [N m s/rad] about z of J."""
        self.force(name, "torsion_spring_damper", i=i, j=j, stiffness=stiffness, damping=damping, free_angle=free_angle)

    def input(self, name: str, *, unit: Optional[str] = None, value: Optional[Number] = None) -> None:
        """A number that is given from outside, for expressions of forces; ``value`` until then."""
        self.add("input", name=name, unit=unit, value=value)

    def measure(self, name: str, kind: str, **fields: Any) -> None:
        """A result by name, of a kind of the format: ``position``, ``angle``, ``reaction``, ``total_energy``, ``expression``, ..."""
        self.add("measure", name=name, type=kind, **fields)

    def contact(self, name: str, kind: str, **fields: Any) -> None:
        """A contact of a kind of the format, such as ``sphere_plane``."""
        self.add("contact", name=name, type=kind, **fields)


def _point(given: Any, name: str) -> list[float]:
    try:
        values = [float(own) for own in given]
    except (TypeError, ValueError):
        values = []
    if len(values) not in (2, 3):
        raise errors.LengthError(f"'{name}' is {given!r}; give two or three coordinates")
    return values if len(values) == 3 else [*values, 0.0]


def _place(given: Any, name: str) -> list[Number]:
    """A point whose coordinates may be expressions."""
    if not isinstance(given, (list, tuple)) or not any(isinstance(own, str) for own in given):
        return list(_point(given, name))
    numbers = _point([0.0 if isinstance(own, str) else own for own in given], name)
    return [own if isinstance(own, str) else value for own, value in zip([*given, 0.0], numbers)]


def _difference(x: Number, y: Number) -> str:
    """y - x as an expression."""
    if isinstance(x, str) or isinstance(y, str):
        return f"({y}) - ({x})"
    return repr(y - x)


def _written_frame(way: list[str]) -> dict[str, Any]:
    """As :func:`_frame`, of a direction of expressions: z is h (d.d) - (h.d) d with h along the global z, or y."""
    dx, dy, dz = (f"({own})" for own in way)
    square = f"({dx}^2 + {dy}^2 + {dz}^2)"
    far = f"abs({dz}) < 0.999*sqrt({square})"
    part = f"if({far}, {dz}, {dy})"
    z = [f"-{part}*{dx}", f"if({far}, 0, {square}) - {part}*{dy}", f"if({far}, {square}, 0) - {part}*{dz}"]
    return {"z_axis": z, "x_axis": way}


def _frame(along: list[float]) -> dict[str, Any]:
    """The orientation with x along the direction and z as near to the global z as that allows; of a bar along z, as near to y."""
    helper = [0.0, 0.0, 1.0] if abs(along[2]) < 0.999 else [0.0, 1.0, 0.0]
    part = sum(x * y for x, y in zip(helper, along))
    z = [h - part * x for h, x in zip(helper, along)]
    size = math.sqrt(sum(own * own for own in z))
    return {"z_axis": [own / size for own in z], "x_axis": along}
