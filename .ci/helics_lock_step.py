"""Two federates of HELICS that exchange a number each way at every step: microseconds a step. Arguments: address of the broker, number of steps."""

import multiprocessing
import sys
import time

import helics as h


def federate(name, other, broker, steps, spent):
    info = h.helicsCreateFederateInfo()
    h.helicsFederateInfoSetCoreTypeFromString(info, "zmq")
    h.helicsFederateInfoSetCoreInitString(info, f"--federates=1 --broker_address={broker}")
    h.helicsFederateInfoSetTimeProperty(info, h.helics_property_time_period, 1e-3)
    h.helicsFederateInfoSetFlagOption(info, h.helics_flag_uninterruptible, True)
    own = h.helicsCreateValueFederate(name, info)
    publication = h.helicsFederateRegisterPublication(own, "y", h.helics_data_type_double, "")
    received = h.helicsFederateRegisterInput(own, "u", h.helics_data_type_double, "")
    h.helicsInputAddTarget(received, f"{other}/y")
    h.helicsFederateEnterExecutingMode(own)
    begun = time.perf_counter()
    for k in range(1, steps + 1):
        h.helicsPublicationPublishDouble(publication, float(k))
        h.helicsFederateRequestTime(own, k * 1e-3)
        h.helicsInputGetDouble(received)
    spent.value = (time.perf_counter() - begun) / steps * 1e6
    h.helicsFederateDisconnect(own)


if __name__ == "__main__":
    broker, steps = sys.argv[1], int(sys.argv[2])
    spent = [multiprocessing.Value("d", 0.0) for _ in range(2)]
    both = [
        multiprocessing.Process(target=federate, args=(name, other, broker, steps, value))
        for (name, other), value in zip((("P", "Q"), ("Q", "P")), spent)
    ]
    for process in both:
        process.start()
    for process in both:
        process.join()
    print(round(max(value.value for value in spent)))
    sys.exit(any(process.exitcode for process in both))
