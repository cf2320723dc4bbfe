package dev.ligeiro.transaction;

import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Makes codes of names, and finds constants by their codes. Both are done once for each type, because each transaction has many codes. */
public final class Codes {

    private static final ClassValue<String[]> LOWER_CASE = new ClassValue<>() {
        @Override
        protected String[] computeValue(Class<?> type) {
            return Arrays.stream(type.getEnumConstants())
                    .map(constant -> ((Enum<?>) constant).name().toLowerCase(Locale.ROOT))
                    .toArray(String[]::new);
        }
    };

    private static final ClassValue<String> OF_TYPE = new ClassValue<>() {
        @Override
        protected String computeValue(Class<?> type) {
            return type.getSimpleName().replaceAll("(?<=[a-z])(?=[A-Z])", "_").toLowerCase(Locale.ROOT);
        }
    };

    private static final ClassValue<Map<String, Object>> BY_CODE = new ClassValue<>() {
        @Override
        protected Map<String, Object> computeValue(Class<?> type) {
            return Arrays.stream(type.getEnumConstants())
                    .collect(Collectors.toUnmodifiableMap(
                            constant -> ((Coded) constant).code(), Function.<Object>identity()));
        }
    };

    private Codes() {}

    /** The code of a command or an outcome: {@code rail_answer} of {@code RailAnswer}. */
    public static String of(Class<?> type) {
        return OF_TYPE.get(type);
    }

    static String lowerCase(Enum<?> constant) {
        return LOWER_CASE.get(constant.getDeclaringClass())[constant.ordinal()];
    }

    public static <E extends Enum<E> & Coded> Optional<E> find(Class<E> type, String code) {
        return Optional.ofNullable(constant(type, code));
    }

    public static <E extends Enum<E> & Coded> E get(Class<E> type, String code) {
        E constant = constant(type, code);
        if (constant == null) {
            throw new IllegalArgumentException(code + " (expected: a code of " + type.getSimpleName() + ")");
        }
        return constant;
    }

    private static <E> @Nullable E constant(Class<E> type, String code) {
        return type.cast(BY_CODE.get(type).get(code));
    }
}
