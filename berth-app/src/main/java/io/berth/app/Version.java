package io.berth.app;

import io.berth.app.flag.FlagException;
import io.berth.app.flag.GoSyntax;
import io.berth.config.text.GoText;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// What this program is, and which kube-scheduler it behaves like.
public final class Version {
    /// The release of kube-scheduler whose behaviour Berth follows.
    public static final String KUBERNETES = "v1.36.4";

    private static final Pattern SEMANTIC =
            Pattern.compile("\\s*v?([0-9]+(?:\\.[0-9]+)*)(.*)", Pattern.DOTALL);
    private static final Pattern SUFFIX =
            Pattern.compile(
                    "(?:-[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*)?(?:\\+[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*)?\\s*");

    private Version() {}

    /// Berth's own version, from the jar's manifest.
    public static String berth() {
        return Objects.requireNonNullElse(
                Version.class.getPackage().getImplementationVersion(), "development");
    }

    static String text() {
        return """
        Berth       %s
        Kubernetes  %s (behaves as this kube-scheduler)
        Java        %s (%s)
        """
                .formatted(
                        berth(), KUBERNETES, Runtime.version(), System.getProperty("java.vm.name"));
    }

    /// The whole record of the version, in the form in which kube-scheduler prints it. Where it
    /// tells of Go, this tells of Java.
    static String raw(String reported) {
        String[] numbers = KUBERNETES.substring(1).split("\\.", -1);
        return "version.Info{Major:\"%s\", Minor:\"%s\", EmulationMajor:\"\", EmulationMinor:\"\", MinCompatibilityMajor:\"\", MinCompatibilityMinor:\"\", GitVersion:%s, GitCommit:\"berth-%s\", GitTreeState:\"clean\", BuildDate:\"1970-01-01T00:00:00Z\", GoVersion:\"java%s\", Compiler:\"javac\", Platform:\"%s/%s\"}"
                .formatted(
                        numbers[0],
                        numbers[1],
                        GoText.quote(reported),
                        berth(),
                        Runtime.version(),
                        System.getProperty("os.name", "unknown").toLowerCase(Locale.ROOT),
                        architecture());
    }

    /// Refuses a value of `--version` that is neither yes or no, nor `raw`, nor a version that may
    /// be reported in place of the real one.
    static void checkReported(String value) throws FlagException {
        if (value.equals("raw") || value.equals(KUBERNETES)) {
            return;
        }
        if (!value.startsWith("v")) {
            GoSyntax.parseBool(value);
            return;
        }
        Matcher matcher = SEMANTIC.matcher(value);
        if (!matcher.matches()) {
            throw new FlagException("could not parse " + GoText.quote(value) + " as version");
        }
        if (matcher.group(1).split("\\.", -1).length != 3) {
            throw new FlagException("illegal version string " + GoText.quote(value));
        }
        if (!SUFFIX.matcher(matcher.group(2)).matches()) {
            throw new FlagException(
                    "could not parse pre-release/metadata (%s) in version %s"
                            .formatted(matcher.group(2), GoText.quote(value)));
        }
        if (!matcher.group(1).equals(KUBERNETES.substring(1))) {
            throw new FlagException(
                    "version %s must match major/minor/patch of default version %s"
                            .formatted(GoText.quote(value), GoText.quote(KUBERNETES)));
        }
    }

    private static String architecture() {
        String name = System.getProperty("os.arch", "unknown");
        return switch (name) {
            case "x86_64" -> "amd64";
            case "aarch64" -> "arm64";
            default -> name;
        };
    }
}
