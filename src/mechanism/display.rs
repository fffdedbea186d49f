//! What a body looks like: shapes for the eye alone, which neither weigh nor touch anything.

use fourbar_multibody::expression::Expression;
use fourbar_multibody::model::{MarkerRef, Model, SourceFile, Vector3};
use fourbar_multibody::{Location, ModelError, Names};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A shape for the eye on a body. A body with such shapes is drawn by them alone.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Display {
    /// Name, unique among displays.
    pub name: String,
    /// Kind; it says which sizes are given.
    #[serde(rename = "type")]
    pub kind: DisplayKind,
    /// Frame of the shape: a marker or a body.
    pub on: MarkerRef,
    /// Of a box: whole lengths along x, y and z \[m\].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<Vector3>,
    /// Of a cylinder, sphere, capsule or line \[m\].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub radius: Option<Expression>,
    /// Of a cylinder or capsule, along z; half spheres come on top \[m\].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub length: Option<Expression>,
    /// Of a plane: whole lengths along x and y \[m\].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub extent: Option<[Expression; 2]>,
    /// Of a line: the marker at its other end, which may be on another body.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<MarkerRef>,
    /// Of a mesh: a file of triangles, `.stl` or `.obj`, relative to the folder of the model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Of a mesh: length of the unit of the file \[m\]; that of the model if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scale: Option<Expression>,
    /// Colour as `#rrggbb`; one that the body is given if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub color: Option<String>,
    /// What the file holds.
    #[serde(skip)]
    pub mesh: Option<Arc<DisplayMesh>>,
    /// The file with its folder.
    #[serde(skip)]
    pub source: Option<SourceFile>,
}

/// Kind of a shape for the eye.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum DisplayKind {
    /// A box about the origin: `size`.
    Box,
    /// A cylinder about z, its middle at the origin: `radius`, `length`.
    Cylinder,
    /// A sphere about the origin: `radius`.
    Sphere,
    /// A cylinder about z with half spheres at its ends: `radius`, `length`.
    Capsule,
    /// A rectangle in the x-y plane: `extent`.
    Plane,
    /// A straight line to another marker: `to`, `radius`.
    Line,
    /// Triangles of a file: `file`, `scale`.
    Mesh,
}

/// A surface of triangles, in the unit of its file.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct DisplayMesh {
    /// Vertices.
    pub vertices: Vec<[f64; 3]>,
    /// Three vertices a triangle, counted from 0, counter-clockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
}

/// The sizes of a display as numbers.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum DisplayForm {
    /// Whole lengths \[m\].
    Box([f64; 3]),
    /// About z \[m\].
    Cylinder {
        /// Radius.
        radius: f64,
        /// Length.
        length: f64,
    },
    /// Radius \[m\].
    Sphere(f64),
    /// About z \[m\].
    Capsule {
        /// Radius.
        radius: f64,
        /// Length of the cylinder, without the half spheres.
        length: f64,
    },
    /// Whole lengths \[m\].
    Plane([f64; 2]),
    /// A line to another marker.
    Line {
        /// Radius \[m\]; none to choose one.
        radius: Option<f64>,
    },
    /// A surface of triangles and the length of its unit \[m\].
    Mesh(Arc<DisplayMesh>, f64),
}

impl Display {
    /// A shape of `kind` on a marker or body, without sizes.
    #[must_use]
    pub fn new(name: &str, kind: DisplayKind, on: impl Into<MarkerRef>) -> Self {
        Self {
            name: name.to_owned(),
            kind,
            on: on.into(),
            size: None,
            radius: None,
            length: None,
            extent: None,
            to: None,
            file: None,
            scale: None,
            color: None,
            mesh: None,
            source: None,
        }
    }

    fn location(&self, index: usize, field: &str) -> Location {
        Location { section: "display", index, name: self.name.clone(), field: field.to_owned() }
    }

    /// Its sizes as numbers; `index` is its place in its section.
    ///
    /// # Errors
    /// Sizes that the kind does not take, or lacks; numbers that are not positive; a mesh whose file was not read.
    pub fn form(&self, names: &Names<'_>, index: usize) -> Result<DisplayForm, Box<ModelError>> {
        self.refuse_others(index)?;
        let reader = Reader { names, display: self, index };
        Ok(match self.kind {
            DisplayKind::Box => DisplayForm::Box(reader.lengths("size", self.size.as_ref())?),
            DisplayKind::Cylinder => DisplayForm::Cylinder { radius: reader.radius()?, length: reader.length()? },
            DisplayKind::Sphere => DisplayForm::Sphere(reader.radius()?),
            DisplayKind::Capsule => DisplayForm::Capsule { radius: reader.radius()?, length: reader.length()? },
            DisplayKind::Plane => DisplayForm::Plane(reader.lengths("extent", self.extent.as_ref())?),
            DisplayKind::Line => {
                let Some(to) = &self.to else { return Err(reader.missing("to")) };
                names.marker(to, &self.location(index, "to"))?;
                let radius = self.radius.as_ref().map(|radius| reader.positive("radius", Some(radius)));
                DisplayForm::Line { radius: radius.transpose()? }
            }
            DisplayKind::Mesh => {
                let scale = self.scale.as_ref().map(|scale| reader.positive("scale", Some(scale))).transpose()?;
                let Some(mesh) = &self.mesh else { return Err(reader.unread()) };
                DisplayForm::Mesh(Arc::clone(mesh), scale.unwrap_or(1.0))
            }
        })
    }

    /// Its colour, red, green and blue from 0 to 255; none if it is not given.
    ///
    /// # Errors
    /// A text that is no colour.
    pub fn rgb(&self, index: usize) -> Result<Option<[u8; 3]>, Box<ModelError>> {
        let Some(text) = &self.color else { return Ok(None) };
        let digits = text.strip_prefix('#').filter(|digits| digits.len() == 6 && digits.is_ascii());
        let part = |k: usize| digits.and_then(|digits| u8::from_str_radix(&digits[2 * k..2 * k + 2], 16).ok());
        match (part(0), part(1), part(2)) {
            (Some(red), Some(green), Some(blue)) => Ok(Some([red, green, blue])),
            _ => {
                let problem = format!("`{text}` is no colour");
                let remedy = "write red, green and blue as six hexadecimal digits, as in \"#4c78a8\"";
                Err(ModelError::new(self.location(index, "color"), problem, remedy))
            }
        }
    }

    /// The fields of its sizes, those that it needs first, and how many these are.
    fn takes(&self) -> (&'static [&'static str], usize) {
        match self.kind {
            DisplayKind::Box => (&["size"], 1),
            DisplayKind::Cylinder | DisplayKind::Capsule => (&["radius", "length"], 2),
            DisplayKind::Sphere => (&["radius"], 1),
            DisplayKind::Plane => (&["extent"], 1),
            DisplayKind::Line => (&["to", "radius"], 1),
            DisplayKind::Mesh => (&["file", "scale"], 1),
        }
    }

    fn refuse_others(&self, index: usize) -> Result<(), Box<ModelError>> {
        let given = [
            ("size", self.size.is_some()),
            ("radius", self.radius.is_some()),
            ("length", self.length.is_some()),
            ("extent", self.extent.is_some()),
            ("to", self.to.is_some()),
            ("file", self.file.is_some()),
            ("scale", self.scale.is_some()),
        ];
        let (takes, _) = self.takes();
        match given.iter().find(|(name, given)| *given && !takes.contains(name)) {
            Some((name, _)) => Err(ModelError::new(
                self.location(index, name),
                format!("a display of this type has no `{name}`"),
                format!("leave it out; it takes {}", takes.join(", ")),
            )),
            None => Ok(()),
        }
    }
}

struct Reader<'a> {
    names: &'a Names<'a>,
    display: &'a Display,
    index: usize,
}

impl Reader<'_> {
    fn positive(&self, field: &str, value: Option<&Expression>) -> Result<f64, Box<ModelError>> {
        let Some(value) = value else { return Err(self.missing(field)) };
        let location = self.display.location(self.index, field);
        self.names.checked(value, &location, "a number above 0", |value| value > 0.0)
    }

    fn radius(&self) -> Result<f64, Box<ModelError>> {
        self.positive("radius", self.display.radius.as_ref())
    }

    fn length(&self) -> Result<f64, Box<ModelError>> {
        self.positive("length", self.display.length.as_ref())
    }

    fn lengths<const N: usize>(
        &self,
        field: &str,
        values: Option<&[Expression; N]>,
    ) -> Result<[f64; N], Box<ModelError>> {
        let Some(values) = values else { return Err(self.missing(field)) };
        let mut lengths = [0.0; N];
        for (length, value) in lengths.iter_mut().zip(values) {
            *length = self.positive(field, Some(value))?;
        }
        Ok(lengths)
    }

    fn missing(&self, field: &str) -> Box<ModelError> {
        let (takes, needed) = self.display.takes();
        let problem = format!("a display of this type has no size without `{field}`");
        let remedy = format!("add `{field}`; it needs {}", takes[..needed].join(", "));
        ModelError::new(self.display.location(self.index, field), problem, remedy)
    }

    fn unread(&self) -> Box<ModelError> {
        match &self.display.file {
            None => self.missing("file"),
            Some(file) => {
                let remedy = "read the model from a file, by a program with the feature `scene`; its folder says where the mesh lies";
                let location = self.display.location(self.index, "file");
                ModelError::new(location, format!("the file \"{file}\" was not read"), remedy)
            }
        }
    }
}

/// Checks all displays of a model that is in SI units and written out. Meshes need not have been read.
pub(super) fn check(displays: &[Display], model: &Model) -> Result<(), Box<ModelError>> {
    if displays.is_empty() {
        return Ok(());
    }
    let names = Names::new(model)?;
    for (index, display) in displays.iter().enumerate() {
        names.marker(&display.on, &display.location(index, "on"))?;
        display.rgb(index)?;
        if display.kind != DisplayKind::Mesh || display.file.is_none() || display.mesh.is_some() {
            display.form(&names, index)?;
        }
    }
    Ok(())
}
