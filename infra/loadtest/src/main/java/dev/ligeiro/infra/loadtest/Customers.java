package dev.ligeiro.infra.loadtest;

import dev.ligeiro.transaction.Party;

/**
 * The payers: each call has its own, derived from its number. Documents and phones practically never repeat and names share few
 * words, as with real customers. With one payer for all calls, the search index would cost almost nothing.
 */
final class Customers {

    private static final String[] FIRST_NAMES =
            "Maria Paulo Pedro Lucas Bruno Julia Laura Clara Diego Jonas Luiza Tiago Vitor Sofia Elisa Fabio"
                    .split(" ");
    private static final String[] LAST_NAMES =
            "Souza Costa Lopes Alves Gomes Rocha Nunes Pinto Moura Matos Prado Viana Serra Teles Borba Penna"
                    .split(" ");
    private static final int CPF_BASE_DIGITS = 9;
    private static final long CPF_BASES = 1_000_000_000L;
    private static final long PHONES = 100_000_000L;

    private Customers() {}

    /** @param number of at most 10 digits */
    static Party payer(long number) {
        long random = CallIdentifiers.scramble(~number);
        String name = FIRST_NAMES[(int) (random & 0xF)] + " " + LAST_NAMES[(int) (random >>> 4) & 0xF] + " "
                + LAST_NAMES[(int) (random >>> 8) & 0xF];
        return new Party(
                name,
                "cliente" + CallIdentifiers.padded(number, 10) + "@example.com",
                "+55119" + CallIdentifiers.padded((random >>> 12) % PHONES, 8),
                cpf((random >>> 20) % (CPF_BASES - 1) + 1));
    }

    /** 11 digits with valid check digits. */
    static String cpf(long base) {
        long withFirst = 10 * base + checkDigit(base, CPF_BASE_DIGITS);
        return CallIdentifiers.padded(10 * withFirst + checkDigit(withFirst, CPF_BASE_DIGITS + 1), CPF_BASE_DIGITS + 2);
    }

    /** Modulo 11 with weights from 2 on, from the right (Receita Federal). */
    private static long checkDigit(long number, int digits) {
        long sum = 0;
        long rest = number;
        for (int weight = 2; weight < digits + 2; weight++) {
            sum += weight * (rest % 10);
            rest /= 10;
        }
        long remainder = sum % 11;
        return remainder < 2 ? 0 : 11 - remainder;
    }
}
