package io.berth.app.compiler;

import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/// The methods that are compiled at present, as the JVM lists them.
///
/// A line of its list is `compile_id level state class.method(descriptor)result [addresses]`.
final class CompiledMethods {
    /// The level of code that is as the first compiler made it, for good.
    static final int SIMPLE = 1;

    private static final String IN_USE = "0";
    private static final Pattern LINE =
            Pattern.compile(
                    "^\\s*\\d+\\s+(\\d)\\s+(\\d)\\s+(\\S+)\\.([^.(\\s]+)(\\(\\S*\\)\\S+)\\s.*$");

    private CompiledMethods() {}

    /// Those of a level.
    static List<Executable> of(int level) {
        var found = new ArrayList<Executable>();
        byClass(Diagnostics.compiledCode(), level)
                .forEach((name, methods) -> found.addAll(find(name, methods)));
        return found;
    }

    /// Names with descriptors, by the name of their class.
    static Map<String, Set<String>> byClass(String list, int level) {
        var names = new LinkedHashMap<String, Set<String>>();
        for (String line : list.lines().toList()) {
            var parts = LINE.matcher(line);
            if (parts.matches()
                    && parts.group(1).equals(String.valueOf(level))
                    && parts.group(2).equals(IN_USE)) {
                names.computeIfAbsent(parts.group(3), _ -> new LinkedHashSet<>())
                        .add(parts.group(4) + parts.group(5));
            }
        }
        return names;
    }

    /// None of a class that has no name by which it could be found, as those of lambdas.
    private static List<Executable> find(String name, Set<String> methods) {
        var found = new ArrayList<Executable>();
        try {
            Class<?> type = Class.forName(name, false, CompiledMethods.class.getClassLoader());
            for (Method method : type.getDeclaredMethods()) {
                if (methods.contains(
                        method.getName() + descriptor(method.getReturnType(), method))) {
                    found.add(method);
                }
            }
            for (Constructor<?> constructor : type.getDeclaredConstructors()) {
                if (methods.contains("<init>" + descriptor(void.class, constructor))) {
                    found.add(constructor);
                }
            }
        } catch (ClassNotFoundException | LinkageError nameless) {
            return found;
        }
        return found;
    }

    private static String descriptor(Class<?> result, Executable method) {
        return MethodType.methodType(result, method.getParameterTypes()).descriptorString();
    }
}
