package io.berth.cel;

import dev.cel.common.ast.CelExpr;
import dev.cel.common.values.CelByteString;
import dev.cel.runtime.CelEvaluationListener;
import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Counts what an evaluation costs, as kube-scheduler does, and ends it at the limit (contract rule
/// DR-40): a step for each variable, field and call, more for calls that go through texts and
/// lists.
///
/// Some differences are for the worse: lists that are joined cost a tenth of their length, since
/// they are copied here, what a function builds is charged (of templates, from a thousand
/// characters on), and lists of constants cost what the API server reckons with, while
/// kube-scheduler makes them once.
///
/// One for each evaluation; used by one thread.
final class Cost implements CelEvaluationListener {
    static final long LIMIT = 1_000_000;
    static final String EXCEEDED = "operation cancelled: actual cost limit exceeded";

    private static final int MAX_ID = 1 << 20;
    private static final double TRAVERSAL = 0.1;
    private static final double REGEX = 0.25;
    private static final long NEW_LIST = 11;

    /// That of the evaluation which runs in this thread.
    private static final ScopedValue<Cost> RUNNING = ScopedValue.newInstance();

    private final long limit;
    private long spent;
    private @Nullable Object[] values = new Object[64];

    Cost() {
        this(LIMIT);
    }

    Cost(long limit) {
        this.limit = limit;
    }

    long spent() {
        return spent;
    }

    boolean isExceeded() {
        return spent > limit;
    }

    /// Does work that is charged here.
    <T, X extends Throwable> T during(ScopedValue.CallableOp<T, X> work) throws X {
        return ScopedValue.where(RUNNING, this).call(work);
    }

    /// Charges work while a function is at it, so that it is paid for even where the function fails
    /// and the expression goes on.
    static void charge(long more) {
        if (RUNNING.isBound()) {
            RUNNING.get().add(more);
        }
    }

    /// For a function that would do more than all of the limit allows. Nothing of the expression
    /// goes on after that.
    static FunctionFailure exceed() {
        if (RUNNING.isBound()) {
            RUNNING.get().spent = RUNNING.get().limit + 1;
        }
        return new FunctionFailure(EXCEEDED);
    }

    private void add(long more) {
        spent += more;
        if (spent > limit) {
            throw new FunctionFailure(EXCEEDED);
        }
    }

    @Override
    public void callback(CelExpr step, @Nullable Object value) {
        add(of(step, value));
        remember(step.id(), value);
    }

    private void remember(long id, @Nullable Object value) {
        if (id < 0 || id >= MAX_ID) {
            return;
        }
        if (id >= values.length) {
            values = Arrays.copyOf(values, (int) Math.max(id + 1, 2L * values.length));
        }
        values[(int) id] = value;
    }

    private long of(CelExpr step, @Nullable Object value) {
        return switch (step.getKind()) {
            case IDENT -> 1;
            case SELECT -> step.select().testOnly() ? 0 : 1;
            case CALL -> ofCall(step.call(), value);
            case LIST -> step.list().elements().isEmpty() ? 0 : 10;
            case MAP -> 30;
            case STRUCT -> 40;
            case CONSTANT, COMPREHENSION, NOT_SET -> 0;
        };
    }

    private long ofCall(CelExpr.CelCall call, @Nullable Object value) {
        return switch (call.function()) {
            case "_&&_", "_||_", "_?_:_" -> 0;
            case FormatFunction.NAME -> 0; // charges what it does itself
            case "startsWith", "endsWith", "url", "lowerAscii", "upperAscii", "substring", "trim" ->
                    traversal(size(call, 0));
            case "quantity", "isQuantity", "semver", "isSemver", "ip", "isIP", "cidr", "isCIDR" ->
                    traversal(size(call, 0));
            case "ip.isCanonical" -> traversal(2 * size(call, 0));
            case "containsIP", "containsCIDR" -> 2 + traversal(size(call, 1));
            case "replace", "split" -> traversal(2 * size(call, 0)) + traversal(size(value));
            case "join" -> traversal(2 * size(value));
            case "isSorted", "sum", "max", "min", "indexOf", "lastIndexOf" -> size(call, 0);
            case "@in" -> argument(call, 1) instanceof Map ? 1 : size(call, 1);
            case "_==_", "_!=_", "_<_", "_<=_", "_>_", "_>=_" ->
                    traversal(Math.min(size(call, 0), size(call, 1)));
            case "_+_" -> traversal(size(value));
            case "matches", "find", "findAll" ->
                    traversal(1 + size(call, 0)) * (long) Math.ceil(REGEX * size(call, 1));
            case "contains" -> traversal(size(call, 0)) * traversal(size(call, 1));
            case "flatten", "reverse", "slice", "lists.range" -> NEW_LIST + size(value);
            case "distinct", "sort" -> NEW_LIST + comparisons(argument(call, 0));
            case SortFunctions.BY_KEYS -> NEW_LIST + comparisons(argument(call, 1));
            default -> 1;
        };
    }

    static long traversal(long size) {
        return (long) Math.ceil(TRAVERSAL * size);
    }

    /// What comes of comparing all values of a list with each other, as the worst case counts.
    private static long comparisons(@Nullable Object list) {
        if (!(list instanceof Collection<?> values)) {
            return 1;
        }
        Object first = values.isEmpty() ? null : values.iterator().next();
        boolean areTexts = first instanceof String || first instanceof CelByteString;
        long pairs = (long) values.size() * values.size();
        return (long) ((areTexts ? 2 + TRAVERSAL : 2) * pairs);
    }

    private long size(CelExpr.CelCall call, int index) {
        return size(argument(call, index));
    }

    /// The value of an argument; the one that a method is called on is the first. Null where it is
    /// not known.
    private @Nullable Object argument(CelExpr.CelCall call, int index) {
        var target = call.target();
        CelExpr argument;
        if (target.isPresent()) {
            argument = index == 0 ? target.get() : at(call, index - 1);
        } else {
            argument = at(call, index);
        }
        long id = argument == null ? -1 : argument.id();
        return id < 0 || id >= values.length ? null : values[(int) id];
    }

    private static @Nullable CelExpr at(CelExpr.CelCall call, int index) {
        return index < call.args().size() ? call.args().get(index) : null;
    }

    static long size(@Nullable Object value) {
        return switch (value) {
            case String text -> text.codePointCount(0, text.length());
            case Collection<?> list -> list.size();
            case Map<?, ?> map -> map.size();
            case null, default -> 1;
        };
    }
}
