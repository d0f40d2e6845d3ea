package io.berth.app.flag;

/// The kinds of values that flags take, each with its name in the help text and its check. The
/// checks speak like Go's `strconv` and `time`, since these texts reach the user.
public enum FlagType {
    STRING("string") {
        @Override
        void check(String value) {}
    },
    /// Needs no value: its mere presence means true.
    BOOL("") {
        @Override
        void check(String value) throws FlagException {
            GoSyntax.parseBool(value);
        }
    },
    /// As BOOL, and also `raw` or a version to report.
    VERSION("version[=true]") {
        @Override
        void check(String value) throws FlagException {
            if (!value.equals("raw") && !value.startsWith("v")) {
                GoSyntax.parseBool(value);
            }
        }
    },
    INT("int") {
        @Override
        void check(String value) throws FlagException {
            GoSyntax.parseInt(value, 64);
        }
    },
    INT32("int32") {
        @Override
        void check(String value) throws FlagException {
            GoSyntax.parseInt(value, 32);
        }
    },
    FLOAT32("float") {
        @Override
        void check(String value) throws FlagException {
            GoSyntax.parseFloat(value);
        }
    },
    LEVEL("Level") {
        @Override
        void check(String value) throws FlagException {
            GoSyntax.parseLevel(value);
        }
    },
    DURATION("duration") {
        @Override
        void check(String value) throws FlagException {
            GoSyntax.parseDuration(value);
        }
    },
    /// A whole number that the command checks itself, to tell its limits in plain words.
    NUMBER("int") {
        @Override
        void check(String value) {}
    },
    STRINGS("strings") {
        @Override
        void check(String value) {}
    },
    INT32_LIST("int32Slice") {
        @Override
        void check(String value) throws FlagException {
            for (String item : value.split(",", -1)) {
                GoSyntax.parseInt(item, 32);
            }
        }
    },
    MAP("stringToString") {
        @Override
        void check(String value) throws FlagException {
            if (!value.contains("=")) {
                throw new FlagException(value + " must be formatted as key=value");
            }
        }
    },
    IP("ip") {
        @Override
        void check(String value) throws FlagException {
            GoSyntax.checkIp(value);
        }
    };

    private final String word;

    FlagType(String word) {
        this.word = word;
    }

    /// How the help text names the value; empty when the flag is used without one.
    public String word() {
        return word;
    }

    boolean valueIsOptional() {
        return this == BOOL || this == VERSION;
    }

    abstract void check(String value) throws FlagException;
}
