package dev.ligeiro.processor.rail.bank;

import dev.ligeiro.message.RailOutcome;
import dev.ligeiro.processor.rail.RailFault;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Payer;
import dev.ligeiro.transaction.RailReturn;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Reads the fields of a bank's JSON. One that is not as the Pix API says is a {@link RailFault} that names it and hides its value. */
public final class BankFields {

    /** Longer than any id of the Pix API, which all have letters and digits only; so an id can be part of a path. */
    private static final Pattern ID = Pattern.compile("[a-zA-Z0-9]{1,64}");

    private static final Pattern OUR_ID =
            Pattern.compile("(?i)([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})");

    private static final Pattern ANY = Pattern.compile("(?s).*");
    private static final String TIME = "a time with a zone";
    /** Before Pix began, and after anything that is under way. */
    private static final Instant TIME_MIN = Instant.parse("2020-01-01T00:00:00Z");

    private static final Instant TIME_MAX = Instant.parse("2200-01-01T00:00:00Z");
    private static final String NOT_MADE = "rejected_by_rail";
    private static final Pattern REASON = Pattern.compile("\\P{Cntrl}{1,140}");
    private static final Pattern WHOLE_OR_DECIMAL = Pattern.compile("\\d{1,10}(\\.\\d{2})?");
    private static final Pattern CLAIM_ID = Pattern.compile("[a-zA-Z0-9-]{1,64}");
    private static final Pattern CODE = Pattern.compile("[a-zA-Z0-9_]{1,64}");
    private static final Pattern AMOUNT = Pattern.compile("\\d{1,10}\\.\\d{2}");

    private BankFields() {}

    public static String text(JsonNode object, String field) {
        return matching(object, field, ANY, "a text");
    }

    private static String matching(JsonNode object, String field, Pattern form, String expected) {
        JsonNode value = object.path(field);
        if (!value.isString() || !form.matcher(value.stringValue()).matches()) {
            throw fault(field, value, expected);
        }
        return value.stringValue();
    }

    /** An id of letters and digits. */
    public static String id(JsonNode object, String field) {
        return matching(object, field, ID, "letters and digits");
    }

    /** The id of a charge, refund or cashout at a bank: the UUID without hyphens. */
    public static String id(UUID id) {
        return id.toString().replace("-", "");
    }

    /** The UUID that we have chosen as {@code id}, which a bank may repeat in upper case; empty for an id of the bank's or of others. */
    public static Optional<UUID> ours(String id) {
        var parts = OUR_ID.matcher(id);
        return parts.matches() ? Optional.of(UUID.fromString(parts.replaceFirst("$1-$2-$3-$4-$5"))) : Optional.empty();
    }

    /**
     * Checks whose answer this is: a proxy may mix up answers. A bank may leave the id out.
     *
     * @throws RailFault
     */
    public static void requireAsked(JsonNode answer, String field, UUID asked) {
        String found = answer.path(field).asString("");
        if (!found.isEmpty() && !found.equalsIgnoreCase(id(asked))) {
            throw fault(field, answer.path(field), "the id that was asked for");
        }
    }

    /** The bank's own text for a payment that it did not make. */
    public static String reason(JsonNode object) {
        String reason = object.path("motivo").asString("").strip();
        return REASON.matcher(reason).matches() ? reason : NOT_MADE;
    }

    /** What was moved back of a payment. */
    public static List<RailOutcome.Returned> returned(JsonNode payment) {
        return list(payment, "devolucoes").stream()
                .filter(one -> text(one, "status").equals("DEVOLVIDO"))
                .map(one -> new RailOutcome.Returned(
                        id(one, "id"), amount(one, "valor"), RailReturn.of(code(one, "natureza"), code(one, "rtrId"))))
                .toList();
    }

    /** What a bank may leave out; null when it is not of the expected form either, which is no reason to doubt the payment. */
    private static @Nullable String code(JsonNode object, String field) {
        String code = object.path(field).asString("");
        return CODE.matcher(code).matches() ? code : null;
    }

    /**
     * Who has paid, which few banks tell: {@code pagador}, at Efí in the extras of a notice. A malformed part counts as not told: it is no
     * reason to doubt the payment.
     */
    static @Nullable Payer payer(JsonNode payment) {
        JsonNode payer = payment.has("pagador")
                ? payment.path("pagador")
                : payment.path("gnExtras").path("pagador");
        String taxId = payer.path("cpf").asString(payer.path("cnpj").asString(""));
        return Payer.of(
                payer.path("nome").asString(""),
                taxId,
                payer.path("codigoBanco").asString(""));
    }

    public static long number(JsonNode object, String field) {
        JsonNode value = object.path(field);
        if (!value.isIntegralNumber() || !value.canConvertToLong()) {
            throw fault(field, value, "a whole number");
        }
        return value.longValue();
    }

    /** An amount such as {@code 10.00}. A number is refused: what the bank means by 10.5 or 1e1 is a guess. */
    public static Amount amount(JsonNode object, String field) {
        return Amount.of(new BigDecimal(matching(object, field, AMOUNT, "an amount such as 10.00")));
    }

    /** The amount of a claim, which Efí's documentation writes {@code 100} too. */
    static Amount wholeOrDecimal(JsonNode object, String field) {
        return Amount.of(new BigDecimal(matching(object, field, WHOLE_OR_DECIMAL, "an amount such as 10.00 or 10")));
    }

    /** The id of a claim, a UUID with hyphens at Efí; so an id can be part of a path. */
    static String claimId(JsonNode object, String field) {
        return matching(object, field, CLAIM_ID, "letters, digits and hyphens");
    }

    /** A time with its zone (RFC 3339), in this century or the next. */
    public static Instant time(JsonNode object, String field) {
        try {
            Instant time =
                    OffsetDateTime.parse(matching(object, field, ANY, TIME)).toInstant();
            if (time.isAfter(TIME_MIN) && time.isBefore(TIME_MAX)) {
                return time;
            }
        } catch (DateTimeException invalid) {
            // refused below
        }
        throw fault(field, object.path(field), TIME);
    }

    /** The objects of a list; none if it is missing. */
    public static List<JsonNode> list(JsonNode object, String field) {
        JsonNode list = object.path(field);
        if (list.isMissingNode() || list.isNull()) {
            return List.of();
        }
        if (!list.isArray()) {
            throw fault(field, list, "a list");
        }
        return list.valueStream().toList();
    }

    /** A fault of a field that has none of the known values. */
    public static RailFault unknown(JsonNode object, String field, Object... known) {
        return fault(
                field,
                object.path(field),
                "one of " + Stream.of(known).map(String::valueOf).toList());
    }

    private static RailFault fault(String field, JsonNode found, String expected) {
        return new RailFault(field + ": "
                + (found.isMissingNode()
                        ? "missing"
                        : "another " + found.getNodeType().name().toLowerCase(Locale.ROOT))
                + " (expected: " + expected + ")");
    }
}
