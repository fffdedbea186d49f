/* A shared library as a partner: y = gain u, with feedthrough. */
#include <fourbar_partner.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const uint32_t first_input[1] = {0};
static const fourbar_partner_variable variables[2] = {
    {sizeof(fourbar_partner_variable), "u", "m", 0.0, 1.0, NULL, 0, FOURBAR_PARTNER_INPUT},
    {sizeof(fourbar_partner_variable), "y", "m", 0.0, 1.0, first_input, 1, FOURBAR_PARTNER_OUTPUT},
};
static const fourbar_partner_description description = {
    sizeof(fourbar_partner_description), FOURBAR_PARTNER_VERSION, 0, 0, 2, variables, 0.0};

const fourbar_partner_description *fourbar_partner_describe(void) { return &description; }

int32_t fourbar_partner_create(const fourbar_partner_options *options, void **instance, char *error, size_t error_size) {
    double *gain = malloc(sizeof *gain);
    uint32_t i;
    *gain = 1.0;
    for (i = 0; i < options->parameter_count; i++) {
        if (strcmp(options->parameters[i].name, "gain") != 0) {
            snprintf(error, error_size, "there is no parameter \"%s\"", options->parameters[i].name);
            free(gain);
            return FOURBAR_PARTNER_INVALID;
        }
        *gain = options->parameters[i].value;
    }
    *instance = gain;
    return FOURBAR_PARTNER_OK;
}

int32_t fourbar_partner_exchange(void *instance, fourbar_partner_data *data, char *error, size_t error_size) {
    double h = data->step;
    (void)error, (void)error_size;
    data->outputs[0] =
        *(double *)instance * (data->inputs[0] + h * (data->input_rates[0] + 0.5 * h * data->input_curvatures[0]));
    data->reached = data->time + h;
    return FOURBAR_PARTNER_OK;
}

int32_t fourbar_partner_state(void *instance, int32_t action, void *bytes, size_t *size, char *error, size_t error_size) {
    (void)instance, (void)action, (void)bytes, (void)size, (void)error, (void)error_size;
    return FOURBAR_PARTNER_UNSUPPORTED;
}

void fourbar_partner_destroy(void *instance) { free(instance); }
