package io.berth.cel;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelIssue;
import dev.cel.common.CelSourceLocation;
import dev.cel.common.CelValidationException;
import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelExpr.ExprKind.Kind;
import dev.cel.common.navigation.CelNavigableAst;
import dev.cel.common.navigation.CelNavigableExpr;
import dev.cel.common.types.CelKind;
import dev.cel.common.types.CelType;
import dev.cel.common.types.CelTypes;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What is checked about the lists, maps and templates that stand in an expression, when all types
/// are known: values of one list are of one type, except in arguments of `format`, and those go
/// with their template.
final class Literals {
    private static final Set<CelKind> WORDS =
            EnumSet.of(
                    CelKind.LIST,
                    CelKind.MAP,
                    CelKind.INT,
                    CelKind.UINT,
                    CelKind.DOUBLE,
                    CelKind.BOOL,
                    CelKind.STRING,
                    CelKind.TIMESTAMP,
                    CelKind.BYTES,
                    CelKind.DURATION,
                    CelKind.TYPE,
                    CelKind.NULL_TYPE);

    private final CelAbstractSyntaxTree ast;
    private final List<CelIssue> issues = new ArrayList<>();

    private Literals(CelAbstractSyntaxTree ast) {
        this.ast = ast;
    }

    static void check(CelAbstractSyntaxTree ast) throws CelValidationException {
        var check = new Literals(ast);
        CelNavigableAst.fromAst(ast).getRoot().allNodes().forEach(check::check);
        if (!check.issues.isEmpty()) {
            throw new CelValidationException(ast.getSource(), check.issues);
        }
    }

    private void check(CelNavigableExpr node) {
        var expr = node.expr();
        switch (expr.getKind()) {
            case LIST -> {
                if (!isInFormat(node)) {
                    check(expr.list());
                }
            }
            case MAP -> {
                if (!isInFormat(node)) {
                    check(expr.map());
                }
            }
            case CALL -> check(expr, expr.call());
            case CONSTANT, IDENT, SELECT, STRUCT, COMPREHENSION, NOT_SET -> {}
        }
    }

    private static boolean isInFormat(CelNavigableExpr node) {
        for (var parent = node.parent(); parent.isPresent(); parent = parent.get().parent()) {
            var expr = parent.get().expr();
            if (expr.getKind() == Kind.CALL && expr.call().function().equals(FormatFunction.NAME)) {
                return true;
            }
        }
        return false;
    }

    private void check(CelExpr.CelList list) {
        CelType known = null;
        for (int i = 0; i < list.elements().size(); i++) {
            var value = list.elements().get(i);
            known = same(known, value, list.optionalIndices().contains(i));
            if (known == null) {
                return;
            }
        }
    }

    private void check(CelExpr.CelMap map) {
        CelType keys = null;
        CelType values = null;
        for (var entry : map.entries()) {
            keys = same(keys, entry.key(), false);
            values = same(values, entry.value(), entry.optionalEntry());
            if (keys == null || values == null) {
                return;
            }
        }
    }

    /// The type, which is to be the known one where there is one. Null where it is another.
    private @Nullable CelType same(@Nullable CelType known, CelExpr value, boolean isOptional) {
        var own = ast.getTypeOrThrow(value.id());
        var type = isOptional && !own.parameters().isEmpty() ? own.parameters().getFirst() : own;
        if (known == null || known.equals(type)) {
            return type;
        }
        report(
                value.id(),
                "expected type '%s' but found '%s'"
                        .formatted(CelTypes.format(known), CelTypes.format(type)));
        return null;
    }

    private void check(CelExpr expr, CelExpr.CelCall call) {
        if (call.function().equals(FormatFunction.NAME)
                && call.target().isPresent()
                && isText(call.target().get())
                && call.args().getFirst().getKind() == Kind.LIST) {
            check(
                    expr.id(),
                    call.target().get().constant().stringValue(),
                    call.args().getFirst().list().elements());
        }
    }

    private static boolean isText(CelExpr expr) {
        return expr.getKind() == Kind.CONSTANT
                && expr.constant().getKind() == CelConstant.Kind.STRING_VALUE;
    }

    private void check(long call, String template, List<CelExpr> arguments) {
        var types = new ArgumentTypes(arguments);
        try {
            new Template(template).read(arguments.size(), types);
            if (arguments.size() > types.used) {
                report(
                        call,
                        "too many arguments supplied to string.format (expected %d, got %d)"
                                .formatted(types.used, arguments.size()));
            }
        } catch (FunctionFailure broken) {
            report(types.misfit < 0 ? call : types.misfit, broken.getMessage());
        }
    }

    private void report(long place, String message) {
        var source = ast.getSource();
        var location =
                Optional.ofNullable(source.getPositionsMap().get(place))
                        .flatMap(source::getOffsetLocation)
                        .orElse(CelSourceLocation.NONE);
        issues.add(CelIssue.formatError(place, location, message));
    }

    /// Holds the arguments of a template against its clauses.
    private final class ArgumentTypes implements Template.Reader {
        private final List<CelExpr> arguments;
        private int used;
        private long misfit = -1;

        ArgumentTypes(List<CelExpr> arguments) {
            this.arguments = arguments;
        }

        @Override
        public boolean isOfTypes() {
            return true;
        }

        @Override
        public void text(int from, int to) {}

        @Override
        public void clause(int argument, char letter, long precision) {
            used = argument + 1;
            if (letter == 's') {
                requireWords(arguments.get(argument));
            } else {
                require(arguments.get(argument), letter, kinds(letter));
            }
        }

        private void requireWords(CelExpr value) {
            require(value, 's', WORDS);
            switch (value.getKind()) {
                case LIST -> value.list().elements().forEach(this::requireWords);
                case MAP ->
                        value.map()
                                .entries()
                                .forEach(entry -> {
                                    requireWords(entry.key());
                                    requireWords(entry.value());
                                });
                case CONSTANT, IDENT, SELECT, CALL, STRUCT, COMPREHENSION, NOT_SET -> {}
            }
        }

        private void require(CelExpr value, char letter, Set<CelKind> kinds) {
            var type = ast.getTypeOrThrow(value.id());
            if (type.kind() != CelKind.DYN && !kinds.contains(type.kind())) {
                misfit = value.id();
                throw Template.Misfit.of(letter, type.name());
            }
        }

        private static Set<CelKind> kinds(char letter) {
            return switch (letter) {
                case 'f', 'e' -> EnumSet.of(CelKind.DOUBLE, CelKind.STRING);
                case 'b' -> EnumSet.of(CelKind.INT, CelKind.UINT, CelKind.BOOL);
                case 'x', 'X' ->
                        EnumSet.of(CelKind.INT, CelKind.UINT, CelKind.STRING, CelKind.BYTES);
                default -> EnumSet.of(CelKind.INT, CelKind.UINT);
            };
        }
    }
}
