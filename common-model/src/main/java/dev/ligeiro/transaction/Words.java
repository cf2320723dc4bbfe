package dev.ligeiro.transaction;

import java.util.function.Function;

/** Finds the enum constant that a stored or received word stands for. */
final class Words {

    private Words() {}

    static <E extends Enum<E>> E find(E[] constants, Function<E, String> wordOf, String word) {
        for (E constant : constants) {
            if (wordOf.apply(constant).equals(word)) {
                return constant;
            }
        }
        throw new IllegalArgumentException(word + " (expected: a word of "
                + constants[0].getDeclaringClass().getSimpleName() + ")");
    }
}
