package io.berth.cel;

import com.google.common.collect.ImmutableCollection;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelOptions;
import dev.cel.common.CelValidationException;
import dev.cel.common.types.CelType;
import dev.cel.common.types.CelTypeProvider;
import dev.cel.common.types.MapType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.StructType;
import dev.cel.compiler.CelCompiler;
import dev.cel.compiler.CelCompilerFactory;
import dev.cel.extensions.CelExtensions;
import dev.cel.parser.CelStandardMacro;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelRuntime;
import dev.cel.runtime.CelRuntimeFactory;
import dev.cel.runtime.CelStandardFunctions;
import dev.cel.runtime.standard.CelStandardOverload;
import dev.cel.runtime.standard.InOperator.InOverload;
import dev.cel.runtime.standard.StringFunction.StringOverload;
import io.berth.cel.SelectorException.Stage;
import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.Set;

/// CEL with the variable `device` and the functions that Kubernetes adds (contract rule DR-39).
///
/// Made when the first expression comes: loading the library takes most of a second.
final class Language {
    /// Longer expressions are none for the API server either (19.21).
    private static final int MAX_LENGTH = 10 * 1024;

    private static final CelOptions OPTIONS =
            CelOptions.current()
                    .enableHeterogeneousNumericComparisons(true)
                    .maxExpressionCodePointSize(MAX_LENGTH)
                    .build();

    /// What the library does in another way.
    private static final Set<CelStandardOverload> OWN =
            Set.of(
                    InOverload.IN_MAP,
                    StringOverload.DOUBLE_TO_STRING,
                    StringOverload.DURATION_TO_STRING,
                    StringOverload.TIMESTAMP_TO_STRING);

    private final CelCompiler compiler;
    private final CelRuntime runtime;

    private static final class Shareable {
        static final Language INSTANCE = new Language(true);
    }

    private static final class Exclusive {
        static final Language INSTANCE = new Language(false);
    }

    static Language of(boolean isCapacityConsumable) {
        return isCapacityConsumable ? Shareable.INSTANCE : Exclusive.INSTANCE;
    }

    private Language(boolean isCapacityConsumable) {
        var device = deviceType(isCapacityConsumable);
        compiler =
                CelCompilerFactory.standardCelCompilerBuilder()
                        .setOptions(OPTIONS)
                        .setTypeProvider(new OneType(device))
                        .setStandardMacros(CelStandardMacro.STANDARD_MACROS)
                        .addMacros(SortFunctions.macro())
                        .addVar("device", device)
                        .addLibraries(
                                CelExtensions.optional(),
                                CelExtensions.bindings(),
                                CelExtensions.strings(StringFunctions.ready()),
                                CelExtensions.sets(OPTIONS),
                                CelExtensions.comprehensions(),
                                CelExtensions.lists(ListFunctions.ready()))
                        .addFunctionDeclarations(QuantityFunctions.declarations())
                        .addFunctionDeclarations(SemverFunctions.declarations())
                        .addFunctionDeclarations(AddressFunctions.declarations())
                        .addFunctionDeclarations(ListFunctions.declarations())
                        .addFunctionDeclarations(SortFunctions.declarations())
                        .addFunctionDeclarations(FormatFunction.declarations())
                        .addFunctionDeclarations(StringFunctions.declarations())
                        .build();
        runtime =
                CelRuntimeFactory.legacyCelRuntimeBuilder()
                        .setOptions(OPTIONS)
                        .setStandardEnvironmentEnabled(false)
                        .setStandardFunctions(
                                CelStandardFunctions.newBuilder()
                                        .filterFunctions((_, overload) -> !OWN.contains(overload))
                                        .build())
                        .addLibraries(
                                CelExtensions.optional(),
                                CelExtensions.strings(StringFunctions.ready()),
                                CelExtensions.sets(OPTIONS),
                                CelExtensions.comprehensions(),
                                CelExtensions.lists(ListFunctions.ready()))
                        .addFunctionBindings(DeviceValue.membership())
                        .addFunctionBindings(QuantityFunctions.bindings())
                        .addFunctionBindings(SemverFunctions.bindings())
                        .addFunctionBindings(AddressFunctions.bindings())
                        .addFunctionBindings(ListFunctions.bindings())
                        .addFunctionBindings(SortFunctions.bindings())
                        .addFunctionBindings(Spelling.bindings())
                        .addFunctionBindings(FormatFunction.bindings())
                        .addFunctionBindings(StringFunctions.bindings())
                        .build();
    }

    private static StructType deviceType(boolean isCapacityConsumable) {
        var fields = new LinkedHashMap<String, CelType>();
        fields.put("driver", SimpleType.STRING);
        fields.put("attributes", byDomain(SimpleType.ANY));
        fields.put("capacity", byDomain(QuantityFunctions.TYPE));
        if (isCapacityConsumable) {
            fields.put("allowMultipleAllocations", SimpleType.BOOL);
        }
        var known = ImmutableMap.copyOf(fields);
        return StructType.create(
                "kubernetes.DRADevice",
                ImmutableSet.copyOf(fields.keySet()),
                field -> Optional.ofNullable(known.get(field)));
    }

    private static CelType byDomain(CelType value) {
        return MapType.create(SimpleType.STRING, MapType.create(SimpleType.STRING, value));
    }

    /// @throws SelectorException where the expression cannot be understood or is no condition
    CompiledSelector compile(String expression) throws SelectorException {
        CelAbstractSyntaxTree ast;
        try {
            ast = SortFunctions.decided(compiler.compile(expression).getAst());
            Literals.check(ast);
        } catch (CelValidationException invalid) {
            throw broken("compilation failed: " + invalid.getMessage());
        } catch (RuntimeException | StackOverflowError mistake) {
            throw broken("compilation failed: " + mistake);
        }
        var type = ast.getResultType();
        if (!type.equals(SimpleType.BOOL) && !type.equals(SimpleType.ANY)) {
            throw broken("must evaluate to bool or the unknown type, not " + Types.text(type));
        }
        try {
            return new CompiledSelector(runtime.createProgram(ast));
        } catch (CelEvaluationException failed) {
            throw broken("program instantiation failed: " + failed.getMessage());
        }
    }

    private static SelectorException broken(String message) {
        return new SelectorException(Stage.COMPILE, message);
    }

    /// Knows the type of the variable.
    private record OneType(StructType type) implements CelTypeProvider {
        @Override
        public ImmutableCollection<CelType> types() {
            return ImmutableList.of(type);
        }

        @Override
        public Optional<CelType> findType(String name) {
            return name.equals(type.name()) ? Optional.of(type) : Optional.empty();
        }
    }
}
