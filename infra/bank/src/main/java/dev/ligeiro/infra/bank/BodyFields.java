package dev.ligeiro.infra.bank;

import java.util.function.BiFunction;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Reads an object of a request and refuses what does not fit.
 *
 * @param path how the object is called in refusals
 * @param refusal makes a refusal of a field's path and a reason
 */
record BodyFields(JsonNode node, String path, BiFunction<String, String, Refusal> refusal) {

    private static final Pattern AMOUNT = Pattern.compile("\\d{1,10}\\.\\d{2}");

    static String amount(long cents) {
        return cents / 100 + "." + (cents % 100 < 10 ? "0" : "") + cents % 100;
    }

    static long cents(String amount) {
        return Long.parseLong(amount.replace(".", ""));
    }

    static boolean isAmount(String text) {
        return AMOUNT.matcher(text).matches();
    }

    /** Refuses charges, refunds and sends of 9904.00 with 400, of 9904.09 with 409 and of 9904.22 with 422. */
    static void refuseMagic(long cents) {
        int status = (int) (cents - 9904_00) + 400;
        if (status == 400 || status == 409 || status == 422) {
            throw Refusal.efi(status, "valor_invalido", "O valor é recusado sempre");
        }
    }

    boolean has(String name) {
        return node.hasNonNull(name);
    }

    Refusal refuse(String name, String reason) {
        return refusal.apply(path.isEmpty() ? name : path + "." + name, reason);
    }

    /** An object that must be there. */
    BodyFields object(String name) {
        if (!node.path(name).isObject()) {
            throw refuse(name, "expected an object");
        }
        return new BodyFields(node.path(name), path.isEmpty() ? name : path + "." + name, refusal);
    }

    @Nullable
    String textOrNull(String name, int lengthMax) {
        JsonNode value = node.path(name);
        if (value.isMissingNode() || value.isNull()) {
            return null;
        }
        if (!value.isString() || value.stringValue().length() > lengthMax) {
            throw refuse(name, "expected a text of at most " + lengthMax + " characters");
        }
        return value.stringValue();
    }

    String text(String name, int lengthMax) {
        String value = textOrNull(name, lengthMax);
        if (value == null || value.isBlank()) {
            throw refuse(name, "expected a text");
        }
        return value;
    }

    /** Cents of an amount above zero. */
    long cents(String name, String value) {
        if (!isAmount(value)) {
            throw refuse(name, "expected digits with two decimals, as in 10.00");
        }
        long cents = cents(value);
        if (cents == 0) {
            throw refuse(name, "expected an amount above zero");
        }
        return cents;
    }

    long amountCents(String name) {
        return cents(name, text(name, 13));
    }

    int integer(String name, int otherwise) {
        JsonNode value = node.path(name);
        if (value.isMissingNode() || value.isNull()) {
            return otherwise;
        }
        if (!value.isInt()) {
            throw refuse(name, "expected an integer");
        }
        return value.intValue();
    }
}
