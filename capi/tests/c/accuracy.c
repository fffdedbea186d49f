/* Problems with known solutions: in a library that has them, and in one that has not. */
#include "check.h"

static void absent(void) {
    fourbar_accuracy *problem = NULL;
    size_t needed = 0;
    FAILS(fourbar_accuracy_new("andrews", &problem), FOURBAR_UNSUPPORTED, "feature `accuracy`");
    FAILS(fourbar_accuracy_names(NULL, 0, &needed), FOURBAR_UNSUPPORTED, "feature `accuracy`");
    CHECK(problem == NULL && needed == 0);
}

static char *question_of(const fourbar_accuracy *problem) {
    size_t needed = 0;
    char *text;
    OK(fourbar_accuracy_question(problem, NULL, 0, &needed));
    text = malloc(needed);
    CHECK(text != NULL);
    OK(fourbar_accuracy_question(problem, text, needed, &needed));
    return text;
}

static void present(void) {
    fourbar_accuracy *problem = NULL;
    char names[2048], errors[512], *question;
    size_t needed = 0;
    double few[3] = {0.0, 0.0, 0.0}, *values;
    size_t k, length;
    OK(fourbar_accuracy_names(names, sizeof names, &needed));
    CHECK(strncmp(names, "andrews\n", 8) == 0);
    FAILS(fourbar_accuracy_names(names, 4, &needed), FOURBAR_LENGTH, "buffer");
    FAILS(fourbar_accuracy_new("andrew", &problem), FOURBAR_NO_SUCH_NAME, "there is no problem");
    FAILS(fourbar_accuracy_new(NULL, &problem), FOURBAR_NULL, "name");
    OK(fourbar_accuracy_new("robertson", &problem));
    question = question_of(problem);
    CHECK(strstr(question, "\"y2\"") != NULL && strstr(question, "\"model\":null") != NULL);
    free(question);
    FAILS(fourbar_accuracy_judge(problem, few, 2, errors, sizeof errors, &needed), FOURBAR_LENGTH, "must have length");
    FAILS(fourbar_accuracy_judge(problem, NULL, 2, errors, sizeof errors, &needed), FOURBAR_NULL, "values");
    FAILS(fourbar_accuracy_judge(problem, few, 2, errors, sizeof errors, &needed), FOURBAR_LENGTH, "must have length");
    { /* The right length stands at the end of the text: times by columns. */
        unsigned long rows = 0, columns = 0;
        CHECK(sscanf(strstr(fourbar_last_error(), "must have length"), "must have length %lu times %lu", &rows, &columns) == 2);
        length = (size_t)(rows * columns);
    }
    values = malloc(length * sizeof *values);
    CHECK(values != NULL);
    for (k = 0; k < length; k++) {
        values[k] = k % 3 == 1 ? NAN : 0.0; /* y2 is not compared */
    }
    OK(fourbar_accuracy_judge(problem, values, length, errors, sizeof errors, &needed));
    CHECK(strstr(errors, "\"state\":1.0") != NULL);
    free(values);
    fourbar_accuracy_free(problem);
}

int main(void) {
    fourbar_capability_list list;
    size_t needed = 0;
    double value[1] = {0.0};
    OK(fourbar_capabilities(&list, sizeof list));
    if ((list.features & FOURBAR_HAS_ACCURACY) != 0) {
        present();
    } else {
        absent();
    }
    FAILS(fourbar_accuracy_new("andrews", NULL), FOURBAR_NULL, "out");
    FAILS(fourbar_accuracy_question(NULL, NULL, 0, &needed), FOURBAR_NULL, "problem");
    FAILS(fourbar_accuracy_judge(NULL, value, 1, NULL, 0, &needed), FOURBAR_NULL, "problem");
    fourbar_accuracy_free(NULL);
    return 0;
}
