package dev.ligeiro.processor.rail.bank;

import dev.ligeiro.processor.rail.RailFault;
import dev.ligeiro.store.StoredDispute;
import dev.ligeiro.transaction.Dispute;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A payer's claim as Efí's list has it ({@code infracoes}). What it says of people is not read. Reading a field that is not as documented
 * throws a {@link RailFault}.
 */
public record BankClaim(JsonNode json) {

    private static final int TEXT_MAX = 140;

    public UUID id(String rail) {
        return Dispute.id(rail, BankFields.claimId(json, "idInfracao"));
    }

    /**
     * What is to be stored of it.
     *
     * @param known as it is stored; null if it is new
     */
    public StoredDispute stored(String rail, @Nullable StoredDispute known) {
        JsonNode times = json.path("dadosAnalise");
        Dispute.Status told = status();
        Dispute.Status before = known == null ? null : known.status();
        // the list may lag behind the answer to a defence, and the history has the first decision
        boolean stays =
                told == Dispute.Status.OPEN && before == Dispute.Status.DEFENDED || before != null && before.isFinal();
        return new StoredDispute(
                id(rail),
                rail,
                BankFields.claimId(json, "idInfracao"),
                text("protocolo"),
                BankFields.id(json, "endToEndId"),
                known == null ? null : known.tenant(),
                known == null ? null : known.transactionId(),
                BankFields.wholeOrDecimal(json, "valor"),
                Optional.ofNullable(text("razao")).orElse(""),
                text("tipoSituacao"),
                told == null || stays ? before : told,
                Optional.ofNullable(text("status")).orElse(""),
                time(times, "abertura"),
                optionalTime(times, "prazoFinalizacao"),
                defense(known),
                known == null ? null : known.refusal(),
                known == null ? null : known.reportAt());
    }

    /** Whether its status is known, and not another one after the end of the dispute. */
    public boolean isStatusExpected(@Nullable StoredDispute known) {
        return status() != null && (known == null || !known.isFinal() || status() == known.status());
    }

    /** Null for one that is not documented: it is shown, not guessed. */
    private Dispute.@Nullable Status status() {
        return switch (json.path("status").asString("")) {
            case "ABERTA" -> Dispute.Status.OPEN;
            case "EM_DEFESA" -> Dispute.Status.DEFENDED;
            case "ACEITA" -> Dispute.Status.LOST;
            case "REJEITADA" -> Dispute.Status.WON;
            case "CANCELADA_EFI" -> Dispute.Status.CANCELED;
            default -> null;
        };
    }

    private @Nullable UUID defense(@Nullable StoredDispute known) {
        String text = json.path("defesa").asString("").strip();
        if (text.isEmpty()) {
            return known == null ? null : known.defense();
        }
        return StoredDispute.nameOf(text);
    }

    /** In one line and not too long; null if it is missing or empty. */
    private @Nullable String text(String field) {
        String text = json.path(field).asString("").strip().replaceAll("\\p{Cntrl}+", " ");
        return text.isEmpty() ? null : text.substring(0, Math.min(TEXT_MAX, text.length()));
    }

    private static @Nullable Instant optionalTime(JsonNode times, String field) {
        return times.hasNonNull(field) ? time(times, field) : null;
    }

    /** As MongoDB stores it, so that a claim that is read again equals the stored one. */
    private static Instant time(JsonNode times, String field) {
        return BankFields.time(times, field).truncatedTo(ChronoUnit.MILLIS);
    }
}
