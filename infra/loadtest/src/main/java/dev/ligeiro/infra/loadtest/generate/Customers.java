package dev.ligeiro.infra.loadtest.generate;

import dev.ligeiro.infra.loadtest.http.Bytes;
import dev.ligeiro.infra.loadtest.ledger.Naming;

/**
 * The people who pay: each call has another, drawn from its number. Documents and phones are as good as never the same twice and
 * names share few words, as among real customers: with one payer for all, the search index would cost next to nothing.
 */
public final class Customers {

    public static final int NAME_LENGTH = 5;
    public static final int DOCUMENT_LENGTH = 11;
    public static final int PHONE_DIGITS = 8;

    private static final byte[][] FIRST_NAMES = words(
            "Maria Paulo Pedro Lucas Bruno Julia Laura Clara Diego Jonas " + "Luiza Tiago Vitor Sofia Elisa Fabio");
    private static final byte[][] LAST_NAMES = words(
            "Souza Costa Lopes Alves Gomes Rocha Nunes Pinto Moura Matos Prado " + "Viana Serra Teles Borba Penna");
    private static final int CPF_BASE_DIGITS = 9;
    private static final long CPF_BASES = 1_000_000_000L;
    private static final long PHONES = 100_000_000L;

    private Customers() {}

    public static long of(long number) {
        return Naming.mix(~number);
    }

    public static byte[] firstName(long customer) {
        return FIRST_NAMES[(int) (customer & 0xF)];
    }

    public static byte[] middleName(long customer) {
        return LAST_NAMES[(int) (customer >>> 4) & 0xF];
    }

    public static byte[] lastName(long customer) {
        return LAST_NAMES[(int) (customer >>> 8) & 0xF];
    }

    /** The digits after +55 11 9. */
    public static long phone(long customer) {
        return (customer >>> 12) % PHONES;
    }

    /** A CPF as a number of {@link #DOCUMENT_LENGTH} digits, check digits included. */
    public static long cpf(long customer) {
        long base = (customer >>> 20) % (CPF_BASES - 1) + 1;
        long withFirst = 10 * base + checkDigit(base, CPF_BASE_DIGITS);
        return 10 * withFirst + checkDigit(withFirst, CPF_BASE_DIGITS + 1);
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

    private static byte[][] words(String words) {
        String[] each = words.split(" ");
        byte[][] bytes = new byte[each.length][];
        for (int i = 0; i < each.length; i++) {
            bytes[i] = Bytes.ascii(each[i]);
        }
        return bytes;
    }
}
