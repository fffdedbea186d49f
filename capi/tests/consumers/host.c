/* The least a host does: the version, one step, one error. */
#include <fourbar.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

int main(void) {
    const double a[4] = {0.0, -4.0, 1.0, 0.0};
    double e[4];
    if (fourbar_abi_version() != FOURBAR_ABI_VERSION) {
        fprintf(stderr, "another binary interface than that of fourbar.h\n");
        return 1;
    }
    if (fourbar_g_matrices(2, a, 0.5, 0, e, NULL, 0) != FOURBAR_OK || fabs(e[0] - cos(1.0)) > 1e-15) {
        fprintf(stderr, "%s\n", fourbar_last_error());
        return 1;
    }
    if (fourbar_g_matrices(2, a, -1.0, 0, e, NULL, 0) != FOURBAR_INVALID || strstr(fourbar_last_error(), "step") == NULL) {
        return 1;
    }
    printf("fourbar %s\n", fourbar_version());
    return 0;
}
