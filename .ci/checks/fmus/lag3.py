"""The same of FMI 3.0, which counts its steps."""

from pythonfmu3 import Fmi3Causality, Fmi3Slave, Fmi3Variability, Float64, Int32


class Lag3(Fmi3Slave):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.time = 0.0
        self.u = 0.0
        self.x = 0.0
        self.rate = 2.0
        self.n = 0
        self.register_variable(Float64("time", causality=Fmi3Causality.independent, variability=Fmi3Variability.continuous))
        self.register_variable(Float64("u", causality=Fmi3Causality.input, variability=Fmi3Variability.continuous))
        self.register_variable(Float64("x", causality=Fmi3Causality.output, variability=Fmi3Variability.continuous))
        self.register_variable(Float64("rate", causality=Fmi3Causality.parameter, variability=Fmi3Variability.tunable))
        self.register_variable(Int32("n", causality=Fmi3Causality.output, variability=Fmi3Variability.discrete))

    def do_step(self, current_time, step_size):
        self.x += step_size * self.rate * (self.u - self.x)
        self.n += 1
        return True
