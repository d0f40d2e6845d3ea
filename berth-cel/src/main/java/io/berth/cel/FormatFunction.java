package io.berth.cel;

import static dev.cel.common.CelFunctionDecl.newFunctionDeclaration;
import static dev.cel.common.CelOverloadDecl.newMemberOverload;

import com.google.common.primitives.UnsignedLong;
import dev.cel.common.CelFunctionDecl;
import dev.cel.common.types.ListType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.values.CelByteString;
import dev.cel.runtime.CelFunctionBinding;
import io.berth.cel.Template.Misfit;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// `'%s has %d'.format([a, b])`: a template with values in it. The result is charged while it
/// grows, since a list of one and the same list costs little and is long when it is spelt out.
final class FormatFunction {
    static final String NAME = "format";

    /// Up to this length a result costs nothing, as in kube-scheduler.
    private static final int FREE = 1000;

    private FormatFunction() {}

    static List<CelFunctionDecl> declarations() {
        return List.of(
                newFunctionDeclaration(
                        NAME,
                        newMemberOverload(
                                "string_format",
                                SimpleType.STRING,
                                SimpleType.STRING,
                                ListType.create(SimpleType.DYN))));
    }

    static List<CelFunctionBinding> bindings() {
        return List.of(
                CelFunctionBinding.from(
                        "string_format", Object.class, Object.class, FormatFunction::format));
    }

    private static String format(Object template, Object arguments) {
        if (template instanceof String text && arguments instanceof List<?> values) {
            Cost.charge(Cost.traversal(Cost.size(text)));
            var page = new Page(text, values);
            new Template(text).read(values.size(), page);
            return page.out.toString();
        }
        throw new FunctionFailure(
                "no such overload: format("
                        + DeviceValue.typeName(template)
                        + ", "
                        + DeviceValue.typeName(arguments)
                        + ")");
    }

    /// What is written so far.
    private static final class Page implements Template.Reader {
        private final StringBuilder out = new StringBuilder();
        private final String template;
        private final List<?> values;
        private long charged;

        Page(String template, List<?> values) {
            this.template = template;
            this.values = values;
        }

        @Override
        public boolean isOfTypes() {
            return false;
        }

        @Override
        public void text(int from, int to) {
            out.append(template, from, to);
            charge();
        }

        @Override
        public void clause(int argument, char letter, long precision) {
            Object value = values.get(argument);
            switch (letter) {
                case 's' -> write(value);
                case 'f' -> write(Numerals.fixed(number(value, letter), precision));
                case 'e' -> write(Numerals.scientific(number(value, letter), precision));
                case 'x' -> write(hex(value, letter));
                case 'X' -> write(hex(value, letter).toUpperCase(Locale.ROOT));
                case 'b' ->
                        write(value instanceof Boolean is ? is ? "1" : "0" : whole(value, 'b', 2));
                case 'o' -> write(whole(value, letter, 8));
                default -> write(whole(value, letter, 10));
            }
        }

        private void write(String text) {
            out.append(text);
            charge();
        }

        private void charge() {
            long due = Cost.traversal(Math.max(0, out.length() - FREE));
            Cost.charge(due - charged);
            charged = due;
        }

        private void write(Object value) {
            switch (value) {
                case Double number -> write(Numerals.shortest(number));
                case List<?> list -> writeList(list);
                case Map<?, ?> map -> writeMap(map);
                default -> {
                    String text = Spelling.of(value);
                    if (text == null) {
                        throw Misfit.of('s', DeviceValue.typeName(value));
                    }
                    write(text);
                }
            }
        }

        private void writeList(List<?> list) {
            write("[");
            String separator = "";
            for (Object value : list) {
                write(separator);
                writeInner(value);
                separator = ", ";
            }
            write("]");
        }

        private void writeMap(Map<?, ?> map) {
            var entries = new ArrayList<Map.Entry<String, Object>>();
            for (var entry : map.entrySet()) {
                entries.add(Map.entry(key(entry.getKey()), entry.getValue()));
            }
            entries.sort((one, other) -> Order.compare(one.getKey(), other.getKey()));
            write("{");
            String separator = "";
            for (var entry : entries) {
                write(separator + entry.getKey() + ":");
                writeInner(entry.getValue());
                separator = ", ";
            }
            write("}");
        }

        private static String key(Object key) {
            return switch (key) {
                case String text -> Spelling.quoted(text);
                case Boolean _, Long _, UnsignedLong _ -> key.toString();
                default ->
                        throw new Misfit(
                                "no formatting function for map key of type "
                                        + DeviceValue.typeName(key));
            };
        }

        /// A value inside of a list or a map is spelt as in an expression.
        private void writeInner(Object value) {
            switch (value) {
                case Double number when Double.isNaN(number) || Double.isInfinite(number) ->
                        write(Spelling.quoted(Numerals.inner(number)));
                case Double number -> write(Numerals.inner(number));
                case String text -> write(Spelling.quoted(text));
                case CelByteString bytes -> write("b" + Spelling.quoted(Spelling.text(bytes)));
                case Duration duration -> write("duration(\"" + Spelling.text(duration) + "\")");
                case Instant time -> write("timestamp(\"" + Spelling.text(time) + "\")");
                case List<?> list -> writeList(list);
                case Map<?, ?> map -> writeMap(map);
                default -> {
                    String text = Spelling.of(value);
                    if (text == null) {
                        throw new Misfit(
                                "no formatting function for " + DeviceValue.typeName(value));
                    }
                    write(text);
                }
            }
        }

        private static double number(Object value, char letter) {
            return switch (value) {
                case Double number -> number;
                case String text
                        when text.equals("NaN")
                                || text.equals("Infinity")
                                || text.equals("-Infinity") ->
                        Double.parseDouble(text);
                default -> throw Misfit.of(letter, DeviceValue.typeName(value));
            };
        }

        private static String whole(Object value, char letter, int base) {
            return switch (value) {
                case Long number -> Long.toString(number, base);
                case UnsignedLong number -> number.toString(base);
                default -> throw Misfit.of(letter, DeviceValue.typeName(value));
            };
        }

        private static String hex(Object value, char letter) {
            return switch (value) {
                case String text -> HexFormat.of().formatHex(text.getBytes(StandardCharsets.UTF_8));
                case CelByteString bytes -> HexFormat.of().formatHex(bytes.toByteArray());
                default -> whole(value, letter, 16);
            };
        }
    }
}
