package io.berth.cel;

import static dev.cel.common.CelFunctionDecl.newFunctionDeclaration;
import static dev.cel.common.CelOverloadDecl.newGlobalOverload;
import static dev.cel.common.CelOverloadDecl.newMemberOverload;

import dev.cel.common.CelFunctionDecl;
import dev.cel.common.types.CelType;
import dev.cel.common.types.OpaqueType;
import dev.cel.common.types.SimpleType;
import dev.cel.runtime.CelFunctionBinding;
import java.util.List;

/// Semantic versions in expressions.
final class SemverFunctions {
    static final CelType TYPE = OpaqueType.create("kubernetes.Semver");

    private SemverFunctions() {}

    static List<CelFunctionDecl> declarations() {
        return List.of(
                newFunctionDeclaration(
                        "semver",
                        newGlobalOverload("string_to_semver", TYPE, SimpleType.STRING),
                        newGlobalOverload(
                                "string_bool_to_semver", TYPE, SimpleType.STRING, SimpleType.BOOL)),
                newFunctionDeclaration(
                        "isSemver",
                        newGlobalOverload("is_semver_string", SimpleType.BOOL, SimpleType.STRING),
                        newGlobalOverload(
                                "is_semver_string_bool",
                                SimpleType.BOOL,
                                SimpleType.STRING,
                                SimpleType.BOOL)),
                newFunctionDeclaration(
                        "isGreaterThan",
                        newMemberOverload("semver_is_greater_than", SimpleType.BOOL, TYPE, TYPE)),
                newFunctionDeclaration(
                        "isLessThan",
                        newMemberOverload("semver_is_less_than", SimpleType.BOOL, TYPE, TYPE)),
                newFunctionDeclaration(
                        "compareTo",
                        newMemberOverload("semver_compare_to", SimpleType.INT, TYPE, TYPE)),
                newFunctionDeclaration(
                        "major", newMemberOverload("semver_major", SimpleType.INT, TYPE)),
                newFunctionDeclaration(
                        "minor", newMemberOverload("semver_minor", SimpleType.INT, TYPE)),
                newFunctionDeclaration(
                        "patch", newMemberOverload("semver_patch", SimpleType.INT, TYPE)));
    }

    static List<CelFunctionBinding> bindings() {
        return List.of(
                CelFunctionBinding.from("string_to_semver", String.class, Semver::parse),
                CelFunctionBinding.from(
                        "string_bool_to_semver",
                        String.class,
                        Boolean.class,
                        (text, isLoose) ->
                                isLoose ? Semver.parseLoosely(text) : Semver.parse(text)),
                CelFunctionBinding.from(
                        "is_semver_string", String.class, text -> isSemver(text, false)),
                CelFunctionBinding.from(
                        "is_semver_string_bool",
                        String.class,
                        Boolean.class,
                        (text, isLoose) -> isSemver(text, isLoose)),
                CelFunctionBinding.from(
                        "semver_is_greater_than",
                        Semver.class,
                        Semver.class,
                        (one, other) -> one.compareTo(other) > 0),
                CelFunctionBinding.from(
                        "semver_is_less_than",
                        Semver.class,
                        Semver.class,
                        (one, other) -> one.compareTo(other) < 0),
                CelFunctionBinding.from(
                        "semver_compare_to",
                        Semver.class,
                        Semver.class,
                        (one, other) -> (long) Integer.signum(one.compareTo(other))),
                CelFunctionBinding.from("semver_major", Semver.class, Semver::major),
                CelFunctionBinding.from("semver_minor", Semver.class, Semver::minor),
                CelFunctionBinding.from("semver_patch", Semver.class, Semver::patch));
    }

    private static boolean isSemver(String text, boolean isLoose) {
        try {
            var _ = isLoose ? Semver.parseLoosely(text) : Semver.parse(text);
            return true;
        } catch (FunctionFailure _) {
            return false;
        }
    }
}
