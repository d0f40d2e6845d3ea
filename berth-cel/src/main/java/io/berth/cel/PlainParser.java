package io.berth.cel;

import io.berth.api.amount.Quantity;
import io.berth.cel.Plain.Name;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Reads expressions of the ordinary sort; the others are left to the language's library, and so is
/// everything about which there could be two opinions. Whatever is read here has a meaning for the
/// library too.
///
/// ```
///  or       = and { "||" and }              value   = "(" or ")" | constant | device | "has" "(" member ")"
///  and      = relation { "&&" relation }    device  = "device" ( ".driver" | ".allowMultipleAllocations" | member )
///  relation = unary [ operator unary ]      member  = ( ".attributes" | ".capacity" ) "[" text "]" ( "." name | "[" text "]" )
///  unary    = "!" unary | value { call }    call    = "." function "(" value ")"
/// ```
final class PlainParser {
    private static final int MAX_LENGTH = 2_048;
    private static final int MAX_DEPTH = 12;
    private static final int MAX_VALUES = 64;
    private static final int MAX_DIGITS = 18;
    private static final String BLANKS = " \t\r\n\f";

    private static final Set<String> RESERVED =
            Set.of(
                    "as",
                    "break",
                    "const",
                    "continue",
                    "else",
                    "false",
                    "for",
                    "function",
                    "if",
                    "import",
                    "in",
                    "let",
                    "loop",
                    "namespace",
                    "null",
                    "package",
                    "return",
                    "true",
                    "var",
                    "void",
                    "while");

    /// What a part is known to be before there is a device. An attribute may be of any type.
    private enum Type {
        ANY,
        BOOL,
        INT,
        TEXT,
        QUANTITY,
        SEMVER,
        /// Attributes or capacities, of all domains or of one.
        DOMAINS,
        DOMAIN
    }

    /// @param name of the domain, where that is all that was read
    private record Term(Type type, Plain part, String name, boolean isCapacity, boolean isSelect) {
        Term(Type type, Plain part) {
            this(type, part, "", false, false);
        }

        boolean isOf(Type wanted) {
            return type == wanted || type == Type.ANY;
        }
    }

    /// Says that an expression is not of the ordinary sort.
    private static final class Unusual extends Exception {
        private static final long serialVersionUID = 1L;

        private Unusual() {
            super("", null, false, false);
        }
    }

    private final String text;
    private final boolean isCapacityConsumable;
    private int at;
    private int depth;
    private int values;

    private PlainParser(String text, boolean isCapacityConsumable) {
        this.text = text;
        this.isCapacityConsumable = isCapacityConsumable;
    }

    /// Null where the expression is not of the ordinary sort.
    static @Nullable Plain parse(String expression, boolean isCapacityConsumable) {
        if (expression.length() > MAX_LENGTH) {
            return null;
        }
        var parser = new PlainParser(expression, isCapacityConsumable);
        try {
            var term = parser.or();
            parser.skipBlanks();
            return parser.at == expression.length() && term.isOf(Type.BOOL) ? term.part : null;
        } catch (Unusual _) {
            return null;
        }
    }

    private Term or() throws Unusual {
        var left = and();
        while (accept("||")) {
            left = junction(true, left, and());
        }
        return left;
    }

    private Term and() throws Unusual {
        var left = relation();
        while (accept("&&")) {
            left = junction(false, left, relation());
        }
        return left;
    }

    private static Term junction(boolean decides, Term left, Term right) throws Unusual {
        check(left.isOf(Type.BOOL) && right.isOf(Type.BOOL));
        return new Term(Type.BOOL, new Plain.Junction(decides, left.part, right.part));
    }

    private Term relation() throws Unusual {
        var left = unary();
        if (accept("==")) {
            return equality(true, left, unary());
        }
        if (accept("!=")) {
            return equality(false, left, unary());
        }
        if (accept("<=")) {
            return order(true, true, false, left, unary());
        }
        if (accept(">=")) {
            return order(false, true, true, left, unary());
        }
        if (accept("<")) {
            return order(true, false, false, left, unary());
        }
        if (accept(">")) {
            return order(false, false, true, left, unary());
        }
        return acceptWord("in") ? membership(left) : left;
    }

    private static Term equality(boolean isWanted, Term left, Term right) throws Unusual {
        check(isValue(left) && isValue(right));
        check(left.type == Type.ANY || right.isOf(left.type));
        return new Term(Type.BOOL, new Plain.Equality(isWanted, left.part, right.part));
    }

    private static boolean isValue(Term term) {
        return term.type != Type.DOMAIN && term.type != Type.DOMAINS;
    }

    private static Term order(
            boolean ifLess, boolean ifEqual, boolean ifMore, Term left, Term right) throws Unusual {
        check(left.isOf(Type.INT) && right.isOf(Type.INT));
        return new Term(Type.BOOL, new Plain.Order(ifLess, ifEqual, ifMore, left.part, right.part));
    }

    private Term membership(Term left) throws Unusual {
        if (accept("[")) {
            return oneOf(left);
        }
        var right = unary();
        check(left.part instanceof Plain.Constant);
        check(left.type == Type.TEXT && !isValue(right));
        String key = plainName(((Plain.Constant) left.part).value());
        return new Term(
                Type.BOOL,
                right.type == Type.DOMAINS
                        ? new Plain.HasDomain(key, right.isCapacity)
                        : new Plain.Has(new Name(right.name, key), right.isCapacity));
    }

    private Term oneOf(Term left) throws Unusual {
        var all = new HashSet<>();
        Type type = null;
        do {
            var one = value();
            check(one.part instanceof Plain.Constant);
            check(one.type == Type.TEXT || one.type == Type.INT);
            check(type == null || type == one.type);
            type = one.type;
            all.add(((Plain.Constant) one.part).value());
        } while (accept(","));
        expect("]");
        check(left.isOf(type));
        return new Term(Type.BOOL, new Plain.OneOf(left.part, all));
    }

    private Term unary() throws Unusual {
        check(++depth <= MAX_DEPTH);
        Term result;
        if (peek() == '!') {
            at++;
            var negated = unary();
            check(negated.isOf(Type.BOOL));
            result = new Term(Type.BOOL, new Plain.Not(negated.part));
        } else {
            result = value();
            while (isValue(result) && accept(".")) {
                result = call(result);
            }
        }
        depth--;
        return result;
    }

    private Term call(Term target) throws Unusual {
        String function = word();
        expect("(");
        var argument = unary();
        expect(")");
        return switch (function) {
            case "startsWith" -> look(Plain.Look.STARTS_WITH, target, argument);
            case "endsWith" -> look(Plain.Look.ENDS_WITH, target, argument);
            case "contains" -> look(Plain.Look.CONTAINS, target, argument);
            case "compareTo" -> compared(Type.INT, Plain.Comparison.COMPARE_TO, target, argument);
            case "isLessThan" ->
                    compared(Type.BOOL, Plain.Comparison.IS_LESS_THAN, target, argument);
            case "isGreaterThan" ->
                    compared(Type.BOOL, Plain.Comparison.IS_GREATER_THAN, target, argument);
            default -> throw new Unusual();
        };
    }

    private static Term look(Plain.Look look, Term target, Term argument) throws Unusual {
        check(target.isOf(Type.TEXT) && argument.part instanceof Plain.Constant);
        check(argument.type == Type.TEXT);
        return new Term(
                Type.BOOL,
                new Plain.Looked(
                        look, target.part, (String) ((Plain.Constant) argument.part).value()));
    }

    private static Term compared(
            Type result, Plain.Comparison comparison, Term target, Term argument) throws Unusual {
        check(argument.type == Type.QUANTITY || argument.type == Type.SEMVER);
        check(target.isOf(argument.type));
        return new Term(result, new Plain.Compared(comparison, target.part, argument.part));
    }

    private Term value() throws Unusual {
        check(++values <= MAX_VALUES);
        char next = peek();
        if (next == '(') {
            at++;
            var inner = or();
            expect(")");
            check(isValue(inner));
            return inner;
        }
        if (next == '\'' || next == '"') {
            return new Term(Type.TEXT, new Plain.Constant(quoted()));
        }
        if (next == '-' || isDigit(next)) {
            return new Term(Type.INT, new Plain.Constant(number()));
        }
        return switch (word()) {
            case "true" -> new Term(Type.BOOL, new Plain.Constant(true));
            case "false" -> new Term(Type.BOOL, new Plain.Constant(false));
            case "quantity" -> quantity();
            case "semver" -> semver();
            case "has" -> has();
            case "device" -> ofDevice();
            default -> throw new Unusual();
        };
    }

    private Term quantity() throws Unusual {
        try {
            return new Term(Type.QUANTITY, new Plain.Constant(Quantity.parse(inBrackets())));
        } catch (IllegalArgumentException malformed) {
            throw new Unusual();
        }
    }

    private Term semver() throws Unusual {
        var version = Semver.find(inBrackets());
        if (version == null) {
            throw new Unusual();
        }
        return new Term(Type.SEMVER, new Plain.Constant(version));
    }

    private String inBrackets() throws Unusual {
        expect("(");
        String result = quoted();
        expect(")");
        return result;
    }

    private Term has() throws Unusual {
        expect("(");
        check(word().equals("device"));
        var member = ofDevice();
        expect(")");
        check(member.isSelect);
        return switch (member.part) {
            case Plain.Attribute(var name) -> new Term(Type.BOOL, new Plain.Has(name, false));
            case Plain.Capacity(var name) -> new Term(Type.BOOL, new Plain.Has(name, true));
            default -> throw new Unusual();
        };
    }

    /// What stands behind `device`.
    private Term ofDevice() throws Unusual {
        expect(".");
        return switch (word()) {
            case "driver" -> new Term(Type.TEXT, new Plain.Driver());
            case "allowMultipleAllocations" -> {
                check(isCapacityConsumable);
                yield new Term(Type.BOOL, new Plain.IsShareable());
            }
            case "attributes" -> ofDomains(false);
            case "capacity" -> ofDomains(true);
            default -> throw new Unusual();
        };
    }

    private Term ofDomains(boolean isCapacity) throws Unusual {
        var nothing = new Plain.Constant(false);
        if (!accept("[")) {
            return new Term(Type.DOMAINS, nothing, "", isCapacity, false);
        }
        String domain = plainName(quoted());
        expect("]");
        boolean isSelect = accept(".");
        String name;
        if (isSelect) {
            name = word();
            check(!RESERVED.contains(name));
        } else if (accept("[")) {
            name = plainName(quoted());
            expect("]");
        } else {
            return new Term(Type.DOMAIN, nothing, domain, isCapacity, false);
        }
        var full = new Name(domain, name);
        return isCapacity
                ? new Term(Type.QUANTITY, new Plain.Capacity(full), "", true, isSelect)
                : new Term(Type.ANY, new Plain.Attribute(full), "", false, isSelect);
    }

    /// A slash separates a domain from a name, so neither has one.
    private static String plainName(Object text) throws Unusual {
        check(text instanceof String name && name.indexOf('/') < 0);
        return (String) text;
    }

    // --- letters

    private String quoted() throws Unusual {
        char quote = peek();
        check(quote == '\'' || quote == '"');
        int end = text.indexOf(quote, at + 1);
        check(end > at);
        String content = text.substring(at + 1, end);
        for (int i = 0; i < content.length(); i++) {
            char letter = content.charAt(i);
            check(letter >= ' ' && letter <= '~' && letter != '\\');
        }
        at = end + 1;
        // Three of them begin a text of several lines.
        check(!content.isEmpty() || at == text.length() || text.charAt(at) != quote);
        return content;
    }

    private long number() throws Unusual {
        int start = at;
        at += text.charAt(at) == '-' ? 1 : 0;
        int first = at;
        while (at < text.length() && isDigit(text.charAt(at))) {
            at++;
        }
        int digits = at - first;
        check(digits > 0 && digits <= MAX_DIGITS);
        check(digits == 1 || text.charAt(first) != '0');
        check(at == text.length() || !isLetter(text.charAt(at)) && text.charAt(at) != '.');
        return Long.parseLong(text, start, at, 10);
    }

    private String word() throws Unusual {
        skipBlanks();
        int start = at;
        while (at < text.length() && (isLetter(text.charAt(at)) || isDigit(text.charAt(at)))) {
            at++;
        }
        check(at > start && !isDigit(text.charAt(start)));
        return text.substring(start, at);
    }

    private static boolean isLetter(char letter) {
        return letter >= 'a' && letter <= 'z' || letter >= 'A' && letter <= 'Z' || letter == '_';
    }

    private static boolean isDigit(char letter) {
        return letter >= '0' && letter <= '9';
    }

    private char peek() throws Unusual {
        skipBlanks();
        check(at < text.length());
        return text.charAt(at);
    }

    private boolean accept(String sign) {
        skipBlanks();
        boolean isThere = text.startsWith(sign, at);
        at += isThere ? sign.length() : 0;
        return isThere;
    }

    private boolean acceptWord(String wanted) {
        skipBlanks();
        int end = at + wanted.length();
        boolean isThere =
                text.startsWith(wanted, at)
                        && (end == text.length()
                                || !isLetter(text.charAt(end)) && !isDigit(text.charAt(end)));
        at = isThere ? end : at;
        return isThere;
    }

    private void expect(String sign) throws Unusual {
        check(accept(sign));
    }

    private void skipBlanks() {
        while (at < text.length() && BLANKS.indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }

    private static void check(boolean isOrdinary) throws Unusual {
        if (!isOrdinary) {
            throw new Unusual();
        }
    }
}
