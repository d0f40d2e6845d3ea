package io.berth.cel;

import static dev.cel.common.CelFunctionDecl.newFunctionDeclaration;
import static dev.cel.common.CelOverloadDecl.newGlobalOverload;
import static dev.cel.common.CelOverloadDecl.newMemberOverload;

import com.google.common.primitives.UnsignedLong;
import dev.cel.common.CelFunctionDecl;
import dev.cel.common.types.ListType;
import dev.cel.common.types.OptionalType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.TypeParamType;
import dev.cel.common.values.CelByteString;
import dev.cel.extensions.CelListsExtensions;
import dev.cel.runtime.CelFunctionBinding;
import java.math.BigInteger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// What Kubernetes adds for lists, and those functions of the library in a bounded form that take
/// more time or room than their arguments.
final class ListFunctions {
    private static final TypeParamType ANY = TypeParamType.create("T");
    private static final ListType LIST = ListType.create(ANY);
    private static final ListType DYNAMIC = ListType.create(SimpleType.DYN);

    private ListFunctions() {}

    /// The functions of the library that are used as they are.
    static Set<CelListsExtensions.Function> ready() {
        return EnumSet.complementOf(
                EnumSet.of(
                        CelListsExtensions.Function.RANGE,
                        CelListsExtensions.Function.FLATTEN,
                        CelListsExtensions.Function.DISTINCT,
                        CelListsExtensions.Function.SORT,
                        CelListsExtensions.Function.SORT_BY));
    }

    static List<CelFunctionDecl> declarations() {
        return List.of(
                newFunctionDeclaration(
                        "isSorted", newMemberOverload("list_is_sorted", SimpleType.BOOL, LIST)),
                newFunctionDeclaration(
                        "sum",
                        newMemberOverload(
                                "list_int_sum_int",
                                SimpleType.INT,
                                ListType.create(SimpleType.INT)),
                        newMemberOverload(
                                "list_double_sum_double",
                                SimpleType.DOUBLE,
                                ListType.create(SimpleType.DOUBLE)),
                        newMemberOverload(
                                "list_uint_sum_uint",
                                SimpleType.UINT,
                                ListType.create(SimpleType.UINT)),
                        newMemberOverload(
                                "list_duration_sum_duration",
                                SimpleType.DURATION,
                                ListType.create(SimpleType.DURATION))),
                newFunctionDeclaration(
                        "unwrapOpt",
                        newMemberOverload(
                                "optional_unwrapOpt",
                                LIST,
                                ListType.create(OptionalType.create(ANY)))),
                newFunctionDeclaration("min", newMemberOverload("list_min", ANY, LIST)),
                newFunctionDeclaration("max", newMemberOverload("list_max", ANY, LIST)),
                newFunctionDeclaration(
                        "indexOf",
                        newMemberOverload("list_a_index_of_int", SimpleType.INT, LIST, ANY)),
                newFunctionDeclaration(
                        "lastIndexOf",
                        newMemberOverload("list_a_last_index_of_int", SimpleType.INT, LIST, ANY)),
                newFunctionDeclaration(
                        "lists.range",
                        newGlobalOverload(
                                "lists_range", ListType.create(SimpleType.INT), SimpleType.INT)),
                newFunctionDeclaration(
                        "flatten",
                        newMemberOverload("list_flatten", DYNAMIC, DYNAMIC),
                        newMemberOverload(
                                "list_flatten_list_int", DYNAMIC, DYNAMIC, SimpleType.INT)),
                newFunctionDeclaration("distinct", newMemberOverload("list_distinct", LIST, LIST)));
    }

    static List<CelFunctionBinding> bindings() {
        return List.of(
                CelFunctionBinding.from("list_is_sorted", List.class, ListFunctions::isSorted),
                CelFunctionBinding.from("list_int_sum_int", List.class, list -> sum(list, 0L)),
                CelFunctionBinding.from(
                        "list_double_sum_double", List.class, list -> sum(list, 0.0)),
                CelFunctionBinding.from(
                        "list_uint_sum_uint", List.class, list -> sum(list, UnsignedLong.ZERO)),
                CelFunctionBinding.from(
                        "list_duration_sum_duration", List.class, list -> sum(list, Duration.ZERO)),
                CelFunctionBinding.from("optional_unwrapOpt", List.class, ListFunctions::unwrap),
                CelFunctionBinding.from("list_min", List.class, list -> extreme(list, -1, "min")),
                CelFunctionBinding.from("list_max", List.class, list -> extreme(list, 1, "max")),
                CelFunctionBinding.from(
                        "list_a_index_of_int",
                        List.class,
                        Object.class,
                        (list, value) -> (long) list.indexOf(value)),
                CelFunctionBinding.from(
                        "list_a_last_index_of_int",
                        List.class,
                        Object.class,
                        (list, value) -> (long) list.lastIndexOf(value)),
                CelFunctionBinding.from("lists_range", Long.class, ListFunctions::range),
                CelFunctionBinding.from("list_flatten", List.class, list -> flatten(list, 1)),
                CelFunctionBinding.from(
                        "list_flatten_list_int", List.class, Long.class, ListFunctions::flatten),
                CelFunctionBinding.from("list_distinct", List.class, ListFunctions::distinct));
    }

    private static boolean isSorted(List<?> list) {
        for (int i = 1; i < list.size(); i++) {
            if (compare(list.get(i - 1), list.get(i)) > 0) {
                return false;
            }
        }
        return true;
    }

    /// Of values of one type, whichever it turns out to be where the checker could not tell.
    ///
    /// @param ofNone of a list without values
    private static Object sum(List<?> list, Object ofNone) {
        return switch (list.isEmpty() ? ofNone : list.getFirst()) {
            case Long _ -> sumOfInts(list);
            case Double _ -> sumOfDoubles(list);
            case UnsignedLong _ -> sumOfUnsigned(list);
            case Duration _ -> sumOfDurations(list);
            default -> throw new FunctionFailure("no such overload");
        };
    }

    private static long sumOfInts(List<?> list) {
        long sum = 0;
        for (Object value : list) {
            try {
                sum = Math.addExact(sum, (Long) value);
            } catch (ArithmeticException overflow) {
                throw new FunctionFailure("integer overflow");
            }
        }
        return sum;
    }

    private static double sumOfDoubles(List<?> list) {
        double sum = 0;
        for (Object value : list) {
            sum += (Double) value;
        }
        return sum;
    }

    private static UnsignedLong sumOfUnsigned(List<?> list) {
        var sum = BigInteger.ZERO;
        for (Object value : list) {
            sum = sum.add(((UnsignedLong) value).bigIntegerValue());
            if (sum.bitLength() > Long.SIZE) {
                throw new FunctionFailure("unsigned integer overflow");
            }
        }
        return UnsignedLong.valueOf(sum);
    }

    private static Duration sumOfDurations(List<?> list) {
        var sum = Duration.ZERO;
        for (Object value : list) {
            sum = sum.plus((Duration) value);
        }
        return sum;
    }

    /// The values that are there.
    private static List<Object> unwrap(List<?> list) {
        var values = new ArrayList<Object>();
        for (Object value : list) {
            if (!(value instanceof Optional<?> optional)) {
                throw new FunctionFailure("no such overload");
            }
            optional.ifPresent(values::add);
        }
        return values;
    }

    private static Object extreme(List<?> list, int sign, String name) {
        if (list.isEmpty()) {
            throw new FunctionFailure(name + " called on empty list");
        }
        Object best = list.getFirst();
        for (Object value : list) {
            if (sign * compare(value, best) > 0) {
                best = value;
            }
        }
        return best;
    }

    @SuppressWarnings("unchecked") // the values of one list are of one type, or the cast fails
    private static int compare(Object one, Object other) {
        if (one instanceof String text && other instanceof String second) {
            return Order.compare(text, second);
        }
        if (one instanceof CelByteString bytes && other instanceof CelByteString second) {
            return Order.compare(bytes, second);
        }
        if (!(one instanceof Comparable<?> comparable) || one.getClass() != other.getClass()) {
            throw new FunctionFailure("no such overload");
        }
        return ((Comparable<Object>) comparable).compareTo(other);
    }

    private static List<Long> range(long count) {
        if (count > Cost.LIMIT) {
            throw Cost.exceed();
        }
        var result = new ArrayList<Long>((int) Math.max(0, count));
        for (long i = 0; i < count; i++) {
            result.add(i);
        }
        return result;
    }

    private static List<Object> flatten(List<?> list, long depth) {
        if (depth < 0) {
            throw new FunctionFailure("level must be non-negative");
        }
        var result = new ArrayList<Object>();
        flatten(list, depth, result);
        return result;
    }

    private static void flatten(List<?> list, long depth, List<Object> into) {
        for (Object value : list) {
            if (depth > 0 && value instanceof List<?> inner) {
                flatten(inner, depth - 1, into);
            } else {
                into.add(value);
            }
            if (into.size() > Cost.LIMIT) {
                throw Cost.exceed();
            }
        }
    }

    private static List<Object> distinct(List<?> list) {
        return List.copyOf(new LinkedHashSet<Object>(list));
    }
}
