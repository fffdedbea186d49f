//! Reads the text of an expression and emits its operations, by precedence climbing.
use std::collections::HashMap;

use super::builder::Builder;
use super::code::{Binary, Comparison, Op, Unary};
use super::error::{ExpressionError, Problem, nearest_name};
use super::function::{self, Form, Function};
use super::quantity::{self, Quantities, Scale};
use super::spline::Interpolation;
use super::token::{Lexer, Token, is_name};
use fourbar_linalg::unit::Unit;

/// The longest text in bytes.
const LENGTH_LIMIT: usize = 1 << 16;
/// The deepest nesting of parentheses, calls, signs and exponents: it bounds the recursion.
const NESTING_LIMIT: usize = 200;

/// How strongly an operator binds, weakest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Or,
    And,
    Not,
    Comparison,
    Sum,
    Product,
    Power,
}

/// What parsing yields.
#[derive(Debug, Default)]
pub(super) struct Parsed {
    pub(super) code: Vec<Op>,
    /// Where each operation is written, in bytes.
    pub(super) places: Vec<usize>,
    /// The names in order of first use, and where that is.
    pub(super) variables: Vec<String>,
    pub(super) first_uses: Vec<usize>,
    pub(super) splines: Vec<SplineUse>,
    pub(super) quantities: Quantities,
}

/// A spline by its name, in a call of `akispl` or `cubspl`.
#[derive(Debug, Clone)]
pub(super) struct SplineUse {
    pub(super) name: String,
    pub(super) by: Interpolation,
    /// Where the name is written, in bytes.
    pub(super) place: usize,
}

impl PartialEq for SplineUse {
    fn eq(&self, other: &Self) -> bool {
        (&self.name, self.by) == (&other.name, other.by)
    }
}

/// Whether `name` may be given to a measure or parameter that expressions use: it is written as one name and
/// means nothing yet. Functions, `pi`, `dtor`, `rtod`, `deg`, `time`, `and`, `or` and `not` are taken.
#[must_use]
pub fn is_free_name(name: &str) -> bool {
    let taken = function::find(name).is_some() || function::constant(name).is_some();
    is_name(name) && !taken && !matches!(name, "deg" | "time" | "and" | "or" | "not")
}

/// Parses a whole text; values of numbers with units are those in the units of `scale`.
pub(super) fn parse(text: &str, scale: Scale<'_>) -> Result<Parsed, ExpressionError> {
    let fail = |(problem, offset)| ExpressionError::new(text, offset, problem);
    let length = text.len();
    if length > LENGTH_LIMIT {
        let limit = LENGTH_LIMIT;
        // The text itself is left out of the error: it is too long to be shown.
        let problem = Problem::TooLong { length, limit };
        return Err(ExpressionError::new("", 0, problem));
    }
    if let Some((place, number, unit, written)) = quantity::whole(text) {
        let named = vec![unit.dimension];
        let quantities = Quantities { named, whole: Some(written.into()), wanted: None };
        let value = quantity::value(number, &unit, written, scale).map_err(|problem| fail((problem, place)))?;
        let code = vec![Op::Constant(value)];
        return Ok(Parsed { code, places: vec![place], quantities, ..Parsed::default() });
    }
    let mut parser = Parser {
        scale,
        quantities: Quantities::default(),
        lexer: Lexer::new(text),
        token: Token::End,
        offset: 0,
        depth: 0,
        builder: Builder::default(),
        indices: HashMap::new(),
        variables: Vec::new(),
        first_uses: Vec::new(),
        splines: Vec::new(),
    };
    parser.advance().map_err(fail)?;
    if parser.token == Token::End {
        return Err(fail((Problem::Empty, 0)));
    }
    parser.expression(Level::Or).map_err(fail)?;
    if parser.token != Token::End {
        return Err(fail(parser.trailing()));
    }
    let Parser { builder, variables, first_uses, splines, quantities, .. } = parser;
    let (code, places, _) = builder.into_parts();
    Ok(Parsed { code, places, variables, first_uses, splines, quantities })
}

type Outcome = Result<(), (Problem, usize)>;

struct Parser<'a> {
    scale: Scale<'a>,
    quantities: Quantities,
    lexer: Lexer<'a>,
    /// The token to be read next, and where it begins.
    token: Token<'a>,
    offset: usize,
    depth: usize,
    builder: Builder,
    indices: HashMap<&'a str, usize>,
    variables: Vec<String>,
    first_uses: Vec<usize>,
    splines: Vec<SplineUse>,
}

impl<'a> Parser<'a> {
    fn advance(&mut self) -> Outcome {
        (self.token, self.offset) = self.lexer.next()?;
        Ok(())
    }

    fn emit(&mut self, op: Op, place: usize) -> Outcome {
        self.builder.emit(op, place).map_err(|p| (p, place))
    }

    fn emit_all(&mut self, ops: &[Op], place: usize) -> Outcome {
        ops.iter().try_for_each(|&op| self.emit(op, place))
    }

    fn unexpected(&self, expected: &'static str) -> (Problem, usize) {
        let found = self.token.describe();
        (Problem::Unexpected { found, expected }, self.offset)
    }

    /// The problem of a token behind a complete expression.
    fn trailing(&self) -> (Problem, usize) {
        match self.token {
            Token::Name("deg") => (Problem::MisplacedDegree, self.offset),
            _ => self.unexpected("an operator or the end of the expression"),
        }
    }

    /// An expression of operators that bind at least as strongly as `least`.
    fn expression(&mut self, least: Level) -> Outcome {
        self.depth += 1;
        if self.depth > NESTING_LIMIT {
            let limit = NESTING_LIMIT;
            return Err((Problem::TooDeep { limit }, self.offset));
        }
        self.prefix(least)?;
        while let Some((level, right, op)) = binary(self.token).filter(|(l, ..)| *l >= least) {
            let place = self.offset;
            self.advance()?;
            self.expression(right)?;
            self.emit(Op::Binary(op), place)?;
            if level == Level::Comparison && binary(self.token).is_some_and(|(next, ..)| next == Level::Comparison) {
                return Err((Problem::Chained, self.offset));
            }
        }
        self.depth -= 1;
        Ok(())
    }

    /// Signs and `not`, or an operand.
    fn prefix(&mut self, least: Level) -> Outcome {
        let place = self.offset;
        match self.token {
            Token::Symbol("-") => {
                self.advance()?;
                self.expression(Level::Power)?;
                self.emit(Op::Unary(Unary::Negate), place)
            }
            Token::Symbol("+") => {
                self.advance()?;
                self.expression(Level::Power)
            }
            Token::Name("not") if least <= Level::Not => {
                self.advance()?;
                self.expression(Level::Not)?;
                self.emit(Op::Unary(Unary::Not), place)
            }
            _ => self.operand(),
        }
    }

    fn operand(&mut self) -> Outcome {
        let place = self.offset;
        match self.token {
            Token::Number(value) => {
                let value = self.quantity(value)?;
                self.emit(Op::Constant(value), place)
            }
            Token::Symbol("(") => {
                self.advance()?;
                self.expression(Level::Or)?;
                if self.token != Token::Symbol(")") {
                    return Err(self.unexpected("`)` or an operator"));
                }
                self.advance()
            }
            Token::Name("not") => Err(self.unexpected("an operand (put `not` in parentheses)")),
            Token::Name("and" | "or") => Err(self.unexpected("an operand")),
            Token::Name("deg") => Err((Problem::MisplacedDegree, place)),
            Token::Name(name) => {
                self.advance()?;
                if self.token == Token::Symbol("(") {
                    let function = function::find(name).ok_or_else(|| (unknown_function(name), place))?;
                    return self.call(function, place);
                }
                self.name(name, place)
            }
            _ => Err(self.unexpected("a number, a name or `(`")),
        }
    }

    /// The number that is the next token, with the unit behind it if there is one.
    fn quantity(&mut self, number: f64) -> Result<f64, (Problem, usize)> {
        let place = self.offset;
        let brackets = self.lexer.brackets();
        self.advance()?;
        let (unit, written) = match (brackets, self.token) {
            (Some((text, place)), _) => (Unit::parse(text).map_err(|unknown| (Problem::Unit(unknown), place))?, text),
            (None, Token::Name(name)) => {
                let Ok(unit) = Unit::parse(name) else { return Ok(number) };
                self.advance()?;
                self.refuse_product(name)?;
                (unit, name)
            }
            _ => return Ok(number),
        };
        self.quantities.named.push(unit.dimension);
        quantity::value(number, &unit, written, self.scale).map_err(|problem| (problem, place))
    }

    /// Behind a unit by one name a power, or an operator and the name of another unit, may be meant as a part of the unit.
    fn refuse_product(&self, unit: &str) -> Outcome {
        let next = || self.lexer.clone().next().map_or(Token::End, |(token, _)| token);
        let goes_on = match self.token {
            Token::Symbol("^" | "**") => true,
            Token::Symbol("/" | "*") => matches!(next(), Token::Name(name) if Unit::parse(name).is_ok()),
            _ => false,
        };
        if goes_on { Err((Problem::UnitGoesOn { unit: unit.to_owned() }, self.offset)) } else { Ok(()) }
    }

    /// A name that is not called.
    fn name(&mut self, name: &'a str, place: usize) -> Outcome {
        if let Some(value) = function::constant(name) {
            return self.emit(Op::Constant(value), place);
        }
        if let Some(function) = function::find(name) {
            let name = name.to_owned();
            let signature = function.signature;
            return Err((Problem::BareFunction { name, signature }, place));
        }
        let next = self.variables.len();
        let index = *self.indices.entry(name).or_insert(next);
        if index == next {
            self.variables.push(name.to_owned());
            self.first_uses.push(place);
        }
        self.emit(Op::Load(index), place)
    }

    /// The arguments of a function, from the opening parenthesis on.
    fn call(&mut self, function: &Function, place: usize) -> Outcome {
        if let Form::Spline(by) = function.form {
            return self.spline(function, by, place);
        }
        let mut count = 0;
        let mut branch = Vec::new();
        self.advance()?;
        while self.token != Token::Symbol(")") || count > 0 {
            self.expression(Level::Or)?;
            count += 1;
            match function.form {
                Form::Fold(op) if count > 1 => self.emit(Op::Binary(op), place)?,
                Form::Sign if count == 1 && self.token == Token::Symbol(",") => {
                    self.emit(Op::Unary(Unary::Abs), place)?
                }
                Form::Conditional if count == 1 => branch.push(self.builder.branch(place)),
                Form::Conditional if count == 2 => branch.push(self.builder.jump(place)),
                _ => {}
            }
            match self.token {
                Token::Symbol(",") => self.advance()?,
                Token::Symbol(")") => break,
                _ => return Err(self.unexpected("`,`, `)` or an operator")),
            }
        }
        check_arguments(function, count).map_err(|problem| (problem, place))?;
        self.advance()?;
        match function.form {
            Form::Plain(op) => self.emit(op, place),
            // Its call is read elsewhere.
            Form::Fold(_) | Form::Spline(_) => Ok(()),
            Form::Series(series) => self.emit(Op::Series(series, count - series.leading()), place),
            Form::Sign if count == 1 => self.emit(Op::Unary(Unary::Sign), place),
            // |a| is on the stack, and b: |a| (2 (b >= 0) - 1).
            Form::Sign => self.emit_all(&SIGN_OF, place),
            Form::Difference => self.emit_all(&POSITIVE_DIFFERENCE, place),
            Form::Conditional => {
                self.builder.join(branch[0], branch[1]);
                Ok(())
            }
        }
    }
}

impl<'a> Parser<'a> {
    /// The arguments of a spline, from the opening parenthesis on: x, z of a family of curves, the name, and the order of the derivative.
    fn spline(&mut self, function: &Function, by: Interpolation, place: usize) -> Outcome {
        self.advance()?;
        self.expression(Level::Or)?;
        self.comma(function)?;
        let mut family = false;
        if !self.at_spline_name() {
            self.expression(Level::Or)?;
            self.comma(function)?;
            family = true;
        }
        let Token::Name(name) = self.token else { return Err(self.no_spline(function)) };
        let index = self.splines.len();
        self.splines.push(SplineUse { name: name.to_owned(), by, place: self.offset });
        self.advance()?;
        let mut order = 0;
        if self.token == Token::Symbol(",") {
            self.advance()?;
            order = match self.token {
                Token::Number(number) if [0.0, 1.0, 2.0].contains(&number) => number as u8,
                _ => return Err(self.unexpected("the order 0, 1 or 2 of the derivative")),
            };
            self.advance()?;
        }
        if self.token != Token::Symbol(")") {
            return Err(self.no_spline(function));
        }
        self.advance()?;
        self.emit(Op::Spline { index, order, family }, place)
    }

    fn comma(&mut self, function: &Function) -> Outcome {
        match self.token {
            Token::Symbol(",") => self.advance(),
            _ => Err(self.no_spline(function)),
        }
    }

    fn no_spline(&self, function: &Function) -> (Problem, usize) {
        let (found, signature) = (self.token.describe(), function.signature);
        (Problem::SplineExpected { found, signature }, self.offset)
    }

    /// Whether the next argument is the last, or the last but for a number: a name alone is then that of a spline.
    fn at_spline_name(&self) -> bool {
        if !matches!(self.token, Token::Name(_)) {
            return false;
        }
        let mut ahead = self.lexer.clone();
        let mut next = || ahead.next().map_or(Token::End, |(token, _)| token);
        match next() {
            Token::Symbol(",") => matches!((next(), next()), (Token::Number(_), Token::Symbol(")"))),
            token => token == Token::Symbol(")"),
        }
    }
}

/// What `sign` of two numbers does with |a| and b.
const SIGN_OF: [Op; 7] = [
    Op::Constant(0.0),
    Op::Binary(Binary::Compare(Comparison::GreaterEqual)),
    Op::Constant(2.0),
    Op::Binary(Binary::Multiply),
    Op::Constant(1.0),
    Op::Binary(Binary::Subtract),
    Op::Binary(Binary::Multiply),
];

/// What `dim` does with a and b.
const POSITIVE_DIFFERENCE: [Op; 3] = [Op::Binary(Binary::Subtract), Op::Constant(0.0), Op::Binary(Binary::Max)];

/// The level of a binary operator, the level of its right operand, and its operation.
fn binary(token: Token<'_>) -> Option<(Level, Level, Binary)> {
    use Level::{And, Not, Or, Power, Product, Sum};
    let compare = |comparison| Some((Level::Comparison, Sum, Binary::Compare(comparison)));
    match token {
        Token::Name("or") => Some((Or, And, Binary::Or)),
        Token::Name("and") => Some((And, Not, Binary::And)),
        Token::Symbol(symbol) => match symbol {
            "<" => compare(Comparison::Less),
            "<=" => compare(Comparison::LessEqual),
            ">" => compare(Comparison::Greater),
            ">=" => compare(Comparison::GreaterEqual),
            "==" => compare(Comparison::Equal),
            "!=" => compare(Comparison::NotEqual),
            "+" => Some((Sum, Product, Binary::Add)),
            "-" => Some((Sum, Product, Binary::Subtract)),
            "*" => Some((Product, Power, Binary::Multiply)),
            "/" => Some((Product, Power, Binary::Divide)),
            // Right associative: the exponent takes further powers, and a sign.
            "^" | "**" => Some((Power, Power, Binary::Power)),
            _ => None,
        },
        _ => None,
    }
}

/// The problem of calling a function that does not exist.
fn unknown_function(name: &str) -> Problem {
    Problem::UnknownFunction { name: name.to_owned(), nearest: nearest_name(name, function::names()) }
}

/// Whether the function takes this number of arguments.
fn check_arguments(function: &Function, found: usize) -> Result<(), Problem> {
    if found >= function.least && function.most.is_none_or(|most| found <= most) {
        return Ok(());
    }
    let plural = if function.least == 1 && function.most == Some(1) { "" } else { "s" };
    let or_more = match function.most {
        None => " or more".to_owned(),
        Some(most) if most > function.least => format!(" to {most}"),
        Some(_) => String::new(),
    };
    Err(Problem::Arguments {
        name: function.name.to_owned(),
        found,
        expected: format!("{}{or_more} argument{plural}", function.least),
        signature: function.signature,
    })
}
