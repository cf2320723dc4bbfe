package dev.ligeiro.transaction;

import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Makes codes of names, and finds the constants of one enum by their codes. */
public final class Codes<E extends Enum<E> & Coded> {

    /** Converted once for each enum, because each transaction writes many codes. */
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

    private final Class<E> type;
    private final Map<String, E> byCode;

    /** @throws IllegalStateException when two constants have the same code */
    public Codes(Class<E> type) {
        this.type = type;
        this.byCode = Arrays.stream(type.getEnumConstants())
                .collect(Collectors.toUnmodifiableMap(Coded::code, Function.identity()));
    }

    /** The code of a command or an outcome: {@code rail_answer} of {@code RailAnswer}. */
    public static String of(Class<?> type) {
        return OF_TYPE.get(type);
    }

    static String lowerCase(Enum<?> constant) {
        return LOWER_CASE.get(constant.getDeclaringClass())[constant.ordinal()];
    }

    /** The constant with exactly this code, or empty. */
    public Optional<E> find(String code) {
        return Optional.ofNullable(byCode.get(code));
    }

    /** @throws IllegalArgumentException when no constant has this code */
    public E get(String code) {
        E constant = byCode.get(code);
        if (constant == null) {
            throw new IllegalArgumentException(code + " (expected: a code of " + type.getSimpleName() + ")");
        }
        return constant;
    }
}
