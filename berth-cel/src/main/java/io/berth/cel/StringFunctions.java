package io.berth.cel;

import static dev.cel.common.CelFunctionDecl.newFunctionDeclaration;
import static dev.cel.common.CelOverloadDecl.newMemberOverload;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import dev.cel.common.CelFunctionDecl;
import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.SimpleType;
import dev.cel.extensions.CelStringExtensions;
import dev.cel.runtime.CelFunctionBinding;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/// What Kubernetes adds for texts (`find`, `findAll`), and `replace` in a bounded form.
final class StringFunctions {
    private static final CelType TEXT = SimpleType.STRING;
    private static final CelType INT = SimpleType.INT;

    private StringFunctions() {}

    /// The functions of the library that are used as they are. Kubernetes has none to reverse a
    /// text.
    static Set<CelStringExtensions.Function> ready() {
        return EnumSet.complementOf(
                EnumSet.of(
                        CelStringExtensions.Function.REPLACE,
                        CelStringExtensions.Function.REVERSE));
    }

    static List<CelFunctionDecl> declarations() {
        return List.of(
                newFunctionDeclaration(
                        "find", newMemberOverload("string_find_string", TEXT, TEXT, TEXT)),
                newFunctionDeclaration(
                        "findAll",
                        newMemberOverload(
                                "string_find_all_string", ListType.create(TEXT), TEXT, TEXT),
                        newMemberOverload(
                                "string_find_all_string_int",
                                ListType.create(TEXT),
                                TEXT,
                                TEXT,
                                INT)),
                newFunctionDeclaration(
                        "replace",
                        newMemberOverload("string_replace_string_string", TEXT, TEXT, TEXT, TEXT),
                        newMemberOverload(
                                "string_replace_string_string_int", TEXT, TEXT, TEXT, TEXT, INT)));
    }

    static List<CelFunctionBinding> bindings() {
        return List.of(
                CelFunctionBinding.from(
                        "string_find_string",
                        String.class,
                        String.class,
                        (text, regex) -> {
                            var found = findAll(text, regex, 1);
                            return found.isEmpty() ? "" : found.getFirst();
                        }),
                CelFunctionBinding.from(
                        "string_find_all_string",
                        String.class,
                        String.class,
                        (text, regex) -> findAll(text, regex, -1)),
                CelFunctionBinding.from(
                        "string_find_all_string_int",
                        List.of(String.class, String.class, Long.class),
                        args -> findAll((String) args[0], (String) args[1], (Long) args[2])),
                CelFunctionBinding.from(
                        "string_replace_string_string",
                        List.of(String.class, String.class, String.class),
                        args -> replace((String) args[0], (String) args[1], (String) args[2], -1)),
                CelFunctionBinding.from(
                        "string_replace_string_string_int",
                        List.of(String.class, String.class, String.class, Long.class),
                        args ->
                                replace(
                                        (String) args[0],
                                        (String) args[1],
                                        (String) args[2],
                                        (Long) args[3])));
    }

    private static List<String> findAll(String text, String regex, long limit) {
        Pattern pattern;
        try {
            pattern = Pattern.compile(regex);
        } catch (PatternSyntaxException malformed) {
            throw new FunctionFailure("Illegal regex: " + malformed.getMessage());
        }
        var result = new ArrayList<String>();
        var matcher = pattern.matcher(text);
        while ((limit < 0 || result.size() < limit) && matcher.find()) {
            result.add(matcher.group());
        }
        return result;
    }

    private static String replace(String text, String old, String by, long limit) {
        var result = new StringBuilder();
        int from = 0;
        for (long done = 0; limit < 0 || done < limit; done++) {
            int at = text.indexOf(old, old.isEmpty() && done > 0 ? from + 1 : from);
            if (at < 0 || old.isEmpty() && done > text.length()) {
                break;
            }
            result.append(text, from, at).append(by);
            from = at + old.length();
            if (result.length() > 10 * Cost.LIMIT) {
                throw Cost.exceed();
            }
        }
        return result.append(text, from, text.length()).toString();
    }
}
