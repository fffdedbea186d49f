"""A lag of first order as an FMU of FMI 2.0."""

from pythonfmu import Fmi2Causality, Fmi2Slave, Fmi2Variability, Real


class Lag(Fmi2Slave):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.u = 0.0
        self.x = 0.0
        self.rate = 2.0
        self.register_variable(Real("u", causality=Fmi2Causality.input))
        self.register_variable(Real("x", causality=Fmi2Causality.output))
        tunable = Fmi2Variability.tunable
        self.register_variable(Real("rate", causality=Fmi2Causality.parameter, variability=tunable))

    def do_step(self, current_time, step_size):
        self.x += step_size * self.rate * (self.u - self.x)
        return True
