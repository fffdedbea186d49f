"""A federate P with one publication x, for .ci/helics: ADDRESS TYPE UNIT VALUE [TIME], where a TIME other than 0 is that of the first value."""
import sys

import helics as h

address, kind, unit, value = sys.argv[1:5]
first = float(sys.argv[5]) if len(sys.argv) > 5 else 0.0
END, STEP = 1.0, 0.1

info = h.helicsCreateFederateInfo()
h.helicsFederateInfoSetCoreTypeFromString(info, "zmq")
h.helicsFederateInfoSetCoreInitString(info, f"--federates=1 --broker_address={address}")
h.helicsFederateInfoSetTimeProperty(info, h.HELICS_PROPERTY_TIME_PERIOD, STEP)
h.helicsFederateInfoSetFlagOption(info, h.HELICS_FLAG_UNINTERRUPTIBLE, True)
federate = h.helicsCreateValueFederate("P", info)
x = h.helicsFederateRegisterTypePublication(federate, "x", kind, unit)


def publish(time):
    if time < first - 1e-9:
        return
    if "," in value:
        h.helicsPublicationPublishVector(x, [float(number) for number in value.split(",")])
    elif kind == "string":
        h.helicsPublicationPublishString(x, value)
    else:
        h.helicsPublicationPublishDouble(x, float(value))


# The other federate may refuse what is published, and leave.
try:
    h.helicsFederateEnterInitializingMode(federate)
    publish(0.0)
    h.helicsFederateEnterExecutingMode(federate)
    time = 0.0
    while time < END - 1e-9:
        publish(time + STEP)
        time = h.helicsFederateRequestTime(federate, time + STEP)
except h.HelicsException as error:
    print(error, file=sys.stderr)
h.helicsFederateDisconnect(federate)
