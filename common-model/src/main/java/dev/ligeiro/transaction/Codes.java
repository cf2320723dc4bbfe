package dev.ligeiro.transaction;

import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Finds the constants of one enum by their codes. */
public final class Codes<E extends Enum<E> & Coded> {

    private final Class<E> type;
    private final Map<String, E> byCode;

    /** @throws IllegalStateException when two constants have the same code */
    public Codes(Class<E> type) {
        this.type = type;
        this.byCode = Arrays.stream(type.getEnumConstants())
                .collect(Collectors.toUnmodifiableMap(Coded::code, Function.identity()));
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
