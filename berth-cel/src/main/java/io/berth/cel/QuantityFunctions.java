package io.berth.cel;

import static dev.cel.common.CelFunctionDecl.newFunctionDeclaration;
import static dev.cel.common.CelOverloadDecl.newGlobalOverload;
import static dev.cel.common.CelOverloadDecl.newMemberOverload;

import dev.cel.common.CelFunctionDecl;
import dev.cel.common.types.CelType;
import dev.cel.common.types.OpaqueType;
import dev.cel.common.types.SimpleType;
import dev.cel.runtime.CelFunctionBinding;
import io.berth.api.amount.Quantity;
import java.util.List;

/// Amounts in expressions: `device.capacity["d"].memory.compareTo(quantity("10Gi")) >= 0`.
final class QuantityFunctions {
    static final CelType TYPE = OpaqueType.create("kubernetes.Quantity");

    private QuantityFunctions() {}

    static List<CelFunctionDecl> declarations() {
        return List.of(
                newFunctionDeclaration(
                        "quantity",
                        newGlobalOverload("string_to_quantity", TYPE, SimpleType.STRING)),
                newFunctionDeclaration(
                        "isQuantity",
                        newGlobalOverload(
                                "is_quantity_string", SimpleType.BOOL, SimpleType.STRING)),
                newFunctionDeclaration(
                        "sign", newMemberOverload("quantity_sign", SimpleType.INT, TYPE)),
                newFunctionDeclaration(
                        "isGreaterThan",
                        newMemberOverload("quantity_is_greater_than", SimpleType.BOOL, TYPE, TYPE)),
                newFunctionDeclaration(
                        "isLessThan",
                        newMemberOverload("quantity_is_less_than", SimpleType.BOOL, TYPE, TYPE)),
                newFunctionDeclaration(
                        "compareTo",
                        newMemberOverload("quantity_compare_to", SimpleType.INT, TYPE, TYPE)),
                newFunctionDeclaration(
                        "asApproximateFloat",
                        newMemberOverload("quantity_get_float", SimpleType.DOUBLE, TYPE)),
                newFunctionDeclaration(
                        "asInteger", newMemberOverload("quantity_get_int", SimpleType.INT, TYPE)),
                newFunctionDeclaration(
                        "isInteger",
                        newMemberOverload("quantity_is_integer", SimpleType.BOOL, TYPE)),
                newFunctionDeclaration(
                        "add",
                        newMemberOverload("quantity_add", TYPE, TYPE, TYPE),
                        newMemberOverload("quantity_add_int", TYPE, TYPE, SimpleType.INT)),
                newFunctionDeclaration(
                        "sub",
                        newMemberOverload("quantity_sub", TYPE, TYPE, TYPE),
                        newMemberOverload("quantity_sub_int", TYPE, TYPE, SimpleType.INT)));
    }

    static List<CelFunctionBinding> bindings() {
        return List.of(
                CelFunctionBinding.from(
                        "string_to_quantity", String.class, QuantityFunctions::parse),
                CelFunctionBinding.from(
                        "is_quantity_string", String.class, QuantityFunctions::isQuantity),
                CelFunctionBinding.from(
                        "quantity_sign",
                        Quantity.class,
                        amount -> (long) amount.compareTo(Quantity.ZERO)),
                CelFunctionBinding.from(
                        "quantity_is_greater_than",
                        Quantity.class,
                        Quantity.class,
                        (one, other) -> one.compareTo(other) > 0),
                CelFunctionBinding.from(
                        "quantity_is_less_than",
                        Quantity.class,
                        Quantity.class,
                        (one, other) -> one.compareTo(other) < 0),
                CelFunctionBinding.from(
                        "quantity_compare_to",
                        Quantity.class,
                        Quantity.class,
                        (one, other) -> (long) one.compareTo(other)),
                CelFunctionBinding.from(
                        "quantity_get_float", Quantity.class, Quantity::doubleValue),
                CelFunctionBinding.from(
                        "quantity_get_int", Quantity.class, QuantityFunctions::whole),
                CelFunctionBinding.from("quantity_is_integer", Quantity.class, Quantity::isWhole),
                CelFunctionBinding.from(
                        "quantity_add", Quantity.class, Quantity.class, Quantity::plus),
                CelFunctionBinding.from(
                        "quantity_add_int",
                        Quantity.class,
                        Long.class,
                        (amount, units) -> amount.plus(Quantity.of(units))),
                CelFunctionBinding.from(
                        "quantity_sub", Quantity.class, Quantity.class, Quantity::minus),
                CelFunctionBinding.from(
                        "quantity_sub_int",
                        Quantity.class,
                        Long.class,
                        (amount, units) -> amount.minus(Quantity.of(units))));
    }

    private static Quantity parse(String text) {
        try {
            return Quantity.parse(text);
        } catch (IllegalArgumentException malformed) {
            throw new FunctionFailure(
                    "quantities must match the regular expression"
                            + " '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'");
        }
    }

    private static boolean isQuantity(String text) {
        try {
            var _ = Quantity.parse(text);
            return true;
        } catch (IllegalArgumentException _) {
            return false;
        }
    }

    private static long whole(Quantity amount) {
        if (!amount.isWhole()) {
            throw new FunctionFailure("cannot convert value to integer");
        }
        return amount.value();
    }
}
