#!/usr/bin/env bash
# HELICS 3.6.1 (PyPI helics 3.6.1), units of a publication and of the input that takes it.
# A good guess: units of different quantities are refused, as it refuses m^3 for kg, and an angle in rad is the plain number that SI says it is.
# Seen: 10 kg arrive as 98.0665 N, and 10 kg*m as 98.0665 N*m: a mass is taken for its weight. 10 rad arrive as 1.5915 in an input of unit 1, and 10 rad/s as
# 1.5915 in one of 1/s: a bare number counts turns. In an input without a unit 10 rad arrive as 10.
# fourbar: registers its inputs without a unit, and converts or refuses by its own rule (docs/coupling.md).
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" --quiet install helics==3.6.1
cat > "$folder/observe.py" <<'PYTHON'
import helics as h


def received(given, taken):
    broker = h.helicsCreateBroker("zmq", "", "-f 1")
    info = h.helicsCreateFederateInfo()
    h.helicsFederateInfoSetCoreTypeFromString(info, "zmq")
    h.helicsFederateInfoSetCoreInitString(info, "--federates=1 --loglevel=none")
    federate = h.helicsCreateValueFederate("one", info)
    out = h.helicsFederateRegisterGlobalPublication(federate, "out", h.HELICS_DATA_TYPE_DOUBLE, given)
    into = h.helicsFederateRegisterInput(federate, "in", h.HELICS_DATA_TYPE_DOUBLE, taken)
    h.helicsInputAddTarget(into, "out")
    try:
        h.helicsFederateEnterExecutingMode(federate)
        h.helicsPublicationPublishDouble(out, 10.0)
        h.helicsFederateRequestTime(federate, 1.0)
        value = "%.4f" % h.helicsInputGetDouble(into)
    except h.HelicsException:
        value = "refused"
    h.helicsFederateDisconnect(federate)
    h.helicsBrokerDisconnect(broker)
    h.helicsCloseLibrary()
    return value


for given, taken in [("kg", "N"), ("kg*m", "N*m"), ("m^3", "kg"), ("rad", "1"), ("rad/s", "1/s"), ("rad", "")]:
    print(f"10 {given} in an input of '{taken}': {received(given, taken)}")
PYTHON
seen=$("$folder/venv/bin/python" "$folder/observe.py" 2>/dev/null | grep '^10 ')
echo "$seen"
expected="10 kg in an input of 'N': 98.0665
10 kg*m in an input of 'N*m': 98.0665
10 m^3 in an input of 'kg': refused
10 rad in an input of '1': 1.5915
10 rad/s in an input of '1/s': 1.5915
10 rad in an input of '': 10.0000"
if [ "$seen" != "$expected" ]; then
    echo "changed; it was:
$expected" >&2
    exit 1
fi
