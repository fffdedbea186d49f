//! JSON Schema of what the derive macro cannot see: expressions, which are numbers or texts, and values of splines.

use crate::expression::Expression;
use crate::model::Ordinates;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use std::borrow::Cow;

impl JsonSchema for Expression {
    fn schema_name() -> Cow<'static, str> {
        "Expression".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "A number, or a text such as \"30 deg\" or \"2*length\" over parameters; where the field says so, \
                            over `time` and measures too.",
            "type": ["number", "string"],
        })
    }
}

impl JsonSchema for Ordinates {
    fn schema_name() -> Cow<'static, str> {
        "Ordinates".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let numbers = || json_schema!({ "type": "array", "items": { "type": "number" } });
        json_schema!({
            "description": "A list of numbers, or one for each curve of a family.",
            "anyOf": [numbers(), { "type": "array", "items": numbers() }],
        })
    }
}
