package io.berth.cel;

import static dev.cel.common.CelFunctionDecl.newFunctionDeclaration;
import static dev.cel.common.CelOverloadDecl.newMemberOverload;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.UnsignedLong;
import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelFunctionDecl;
import dev.cel.common.CelIssue;
import dev.cel.common.CelOverloadDecl;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelReference;
import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.TypeParamType;
import dev.cel.common.values.CelByteString;
import dev.cel.parser.CelMacro;
import dev.cel.parser.CelMacroExprFactory;
import dev.cel.parser.CelStandardMacro;
import dev.cel.runtime.CelFunctionBinding;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// `sort()` and `sortBy(x, key)` of lists. What has the same key keeps its order.
///
/// To sort costs twice the square of how many there are, so the plain method by insertion does no
/// more than what is charged; a list that costs more than all of the limit is not begun with.
final class SortFunctions {
    static final String BY_KEYS = "@sortByAssociatedKeys";

    private static final String INPUT = "@__sortBy_input__";
    private static final ListType LIST = ListType.create(TypeParamType.create("T"));

    /// The types of what can be sorted by, by their names in the names of overloads.
    private static final Map<String, CelType> KEYS = new LinkedHashMap<>();

    static {
        KEYS.put("int", SimpleType.INT);
        KEYS.put("uint", SimpleType.UINT);
        KEYS.put("double", SimpleType.DOUBLE);
        KEYS.put("bool", SimpleType.BOOL);
        KEYS.put("duration", SimpleType.DURATION);
        KEYS.put("timestamp", SimpleType.TIMESTAMP);
        KEYS.put("string", SimpleType.STRING);
        KEYS.put("bytes", SimpleType.BYTES);
    }

    private SortFunctions() {}

    static List<CelFunctionDecl> declarations() {
        var sort = new ArrayList<CelOverloadDecl>();
        var byKeys = new ArrayList<CelOverloadDecl>();
        KEYS.forEach((name, type) -> {
            var keys = ListType.create(type);
            sort.add(newMemberOverload(sortOf(name), keys, keys));
            byKeys.add(newMemberOverload(byKeysOf(name), LIST, LIST, keys));
        });
        return List.of(
                newFunctionDeclaration("sort", sort), newFunctionDeclaration(BY_KEYS, byKeys));
    }

    static List<CelFunctionBinding> bindings() {
        var all = new ArrayList<CelFunctionBinding>();
        for (String name : KEYS.keySet()) {
            all.add(
                    CelFunctionBinding.from(
                            sortOf(name), Object.class, list -> sorted("sort", list, list)));
            all.add(
                    CelFunctionBinding.from(
                            byKeysOf(name),
                            Object.class,
                            Object.class,
                            (list, keys) -> sorted(BY_KEYS, list, keys)));
        }
        return all;
    }

    private static String sortOf(String type) {
        return "list_" + type + "_sort";
    }

    private static String byKeysOf(String type) {
        return "list_" + type + "_sortByAssociatedKeys";
    }

    /// The expression with one overload for each call whose keys are of a type that is not known:
    /// all of them do the same (those of `sum` too), and the runtime asks for one.
    static CelAbstractSyntaxTree decided(CelAbstractSyntaxTree ast) {
        var references = new LinkedHashMap<Long, CelReference>(ast.getReferenceMap());
        references.replaceAll((_, reference) ->
                isOurs(reference.overloadIds())
                        ? CelReference.newBuilder()
                                .setName(reference.name())
                                .addOverloadIds(reference.overloadIds().getFirst())
                                .build()
                        : reference);
        return CelAbstractSyntaxTree.newCheckedAst(
                ast.getExpr(), ast.getSource(), references, ast.getTypeMap());
    }

    private static boolean isOurs(List<String> overloads) {
        return overloads.size() > 1
                && (overloads.contains("list_int_sum_int")
                        || KEYS.keySet().stream()
                                .anyMatch(name ->
                                        overloads.contains(sortOf(name))
                                                || overloads.contains(byKeysOf(name))));
    }

    /// `list.sortBy(x, key)` is a call with the list and with the keys of all its values. The list
    /// is bound to a variable, so that it is evaluated once.
    static CelMacro macro() {
        return CelMacro.newReceiverMacro("sortBy", 2, SortFunctions::expand);
    }

    private static Optional<CelExpr> expand(
            CelMacroExprFactory make, CelExpr target, ImmutableList<CelExpr> arguments) {
        switch (target.getKind()) {
            case LIST, SELECT, IDENT, COMPREHENSION, CALL -> {}
            case CONSTANT, MAP, STRUCT, NOT_SET -> {
                return failed(
                        make,
                        target,
                        "sortBy can only be applied to a list, identifier, comprehension, call or"
                                + " select expression");
            }
        }
        if (arguments.getFirst().getKind() != CelExpr.ExprKind.Kind.IDENT) {
            return failed(make, arguments.getFirst(), "argument is not an identifier");
        }
        return CelStandardMacro.MAP
                .getDefinition()
                .getExpander()
                .expandMacro(make, make.newIdentifier(INPUT), arguments)
                .map(keys ->
                        make.fold(
                                "#unused",
                                make.newList(),
                                INPUT,
                                target,
                                make.newBoolLiteral(false),
                                make.newIdentifier(INPUT),
                                make.newReceiverCall(BY_KEYS, make.newIdentifier(INPUT), keys)));
    }

    private static Optional<CelExpr> failed(
            CelMacroExprFactory make, CelExpr place, String message) {
        return Optional.of(
                make.reportError(CelIssue.formatError(make.getSourceLocation(place), message)));
    }

    private static List<Object> sorted(String function, Object values, Object keys) {
        if (values instanceof List<?> list && keys instanceof List<?> known) {
            return sorted(list, known);
        }
        throw new FunctionFailure("no such overload: " + function);
    }

    private static List<Object> sorted(List<?> list, List<?> keys) {
        if (2L * keys.size() * keys.size() > Cost.LIMIT) {
            throw Cost.exceed();
        }
        requireComparable(keys);
        var order = new ArrayList<Integer>();
        for (int next = 0; next < keys.size(); next++) {
            int at = next;
            while (at > 0 && isLess(keys.get(next), keys.get(order.get(at - 1)))) {
                at--;
            }
            order.add(at, next);
        }
        var sorted = new ArrayList<Object>();
        order.forEach(index -> sorted.add(list.get(index)));
        return sorted;
    }

    private static void requireComparable(List<?> keys) {
        for (Object key : keys) {
            switch (keys.getFirst()) {
                case Long _, UnsignedLong _, Double _, Boolean _, String _ -> {}
                case Duration _, Instant _, CelByteString _ -> {}
                default -> throw new FunctionFailure("list elements must be comparable");
            }
            if (key.getClass() != keys.getFirst().getClass()) {
                throw new FunctionFailure("list elements must have the same type");
            }
        }
    }

    /// What is no number is neither less nor more than any.
    private static boolean isLess(Object one, Object other) {
        return switch (one) {
            case Double number -> number < (Double) other;
            case String text -> Order.compare(text, (String) other) < 0;
            case Long number -> number.compareTo((Long) other) < 0;
            case UnsignedLong number -> number.compareTo((UnsignedLong) other) < 0;
            case Boolean answer -> answer.compareTo((Boolean) other) < 0;
            case Duration duration -> duration.compareTo((Duration) other) < 0;
            case Instant time -> time.compareTo((Instant) other) < 0;
            case CelByteString bytes -> Order.compare(bytes, (CelByteString) other) < 0;
            default -> false;
        };
    }
}
