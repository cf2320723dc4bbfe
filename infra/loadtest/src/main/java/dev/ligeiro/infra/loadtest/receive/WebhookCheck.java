package dev.ligeiro.infra.loadtest.receive;

import dev.ligeiro.infra.loadtest.generate.Load;
import dev.ligeiro.infra.loadtest.http.Bytes;
import dev.ligeiro.infra.loadtest.http.MessageParser;
import dev.ligeiro.infra.loadtest.ledger.Call;
import dev.ligeiro.infra.loadtest.ledger.Faults;
import dev.ligeiro.infra.loadtest.ledger.Ledger;
import dev.ligeiro.infra.loadtest.ledger.Naming;
import dev.ligeiro.message.EventType;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Whether a webhook is genuine and right: its signature, its time, its id, its type, the {@code extra} and the id of the transaction
 * it tells of. What is wrong is a fault, which fails the run. For the receiver's thread.
 */
final class WebhookCheck {

    private static final byte[] WEBHOOK_ID = Bytes.ascii("webhook-id");
    private static final byte[] TIMESTAMP = Bytes.ascii("webhook-timestamp");
    private static final byte[] SIGNATURE = Bytes.ascii("webhook-signature");
    private static final byte[] TYPE = Bytes.ascii("\"type\":\"");
    private static final byte[] REFERENCE = Bytes.ascii("\"reference\":\"");
    private static final byte[] EXTRA = Bytes.ascii("\"extra\":\"");
    private static final byte[] DATA_ID = Bytes.ascii("\"data\":{\"id\":\"");
    private static final byte[] ID_PREFIX = Bytes.ascii("evt_");
    private static final int HEX_DIGITS = 32;
    private static final int UUID_LENGTH = 36;
    private static final int LOW_AT = 19;
    private static final long CLOCK_TOLERANCE_SECONDS = 300;

    private final WebhookSignature signature;
    private final Faults faults;
    private final Map<EventType, byte[]> types = new EnumMap<>(EventType.class);
    private final Naming naming;
    private final Ledger ledger;
    private @Nullable Load load;

    WebhookCheck(WebhookSignature signature, Naming naming, Ledger ledger, Faults faults) {
        this.signature = signature;
        this.naming = naming;
        this.ledger = ledger;
        this.faults = faults;
        for (EventType type : EventType.values()) {
            types.put(type, Bytes.ascii(type.code()));
        }
    }

    /** From now on arrivals count for this load. */
    void expect(Load newLoad) {
        load = newLoad;
    }

    /** Notes the webhook in the ledger, or the fault. */
    void accept(MessageParser request) {
        Slice body = Slice.body(request);
        Slice id = Slice.header(request, WEBHOOK_ID);
        Slice timestamp = Slice.header(request, TIMESTAMP);
        if (!signature.isValid(id, timestamp, body, Slice.header(request, SIGNATURE))) {
            faults.add("webhook with an invalid signature", id.toString());
        } else if (Math.abs(seconds(timestamp) - System.currentTimeMillis() / 1000) > CLOCK_TOLERANCE_SECONDS) {
            faults.add("webhook with a wrong timestamp", timestamp.toString());
        } else {
            acceptGenuine(id, body);
        }
    }

    private void acceptGenuine(Slice id, Slice body) {
        Slice reference = body.text(REFERENCE);
        int number = naming.number(reference.bytes(), reference.from(), reference.to());
        if (number < 0 || number >= ledger.size()) {
            faults.add("webhook about a transaction that is not ours", id + " " + reference);
            return;
        }
        Slice extra = body.text(EXTRA);
        if (!naming.isExtra(number, extra.bytes(), extra.from(), body.to())) {
            faults.add("webhook with a wrong extra", id + " " + extra);
            return;
        }
        acceptId(id, body, number);
    }

    private void acceptId(Slice id, Slice body, int number) {
        Slice dataId = body.text(DATA_ID);
        int sequenceAt = id.from() + ID_PREFIX.length + HEX_DIGITS + 1;
        if (dataId.length() != UUID_LENGTH
                || sequenceAt >= id.to()
                || !Bytes.startsWith(id.bytes(), id.from(), id.to(), ID_PREFIX)) {
            faults.add("webhook without an id", id + " " + dataId);
            return;
        }
        long high = Bytes.parseHex(dataId.bytes(), dataId.from());
        long low = Bytes.parseHex(dataId.bytes(), dataId.from() + LOW_AT);
        int hexAt = id.from() + ID_PREFIX.length;
        int sequence = (int) Bytes.parseDigits(id.bytes(), sequenceAt, id.to());
        Call call = ledger.call(number);
        if (Bytes.parseHex(id.bytes(), hexAt) != high || Bytes.parseHex(id.bytes(), hexAt + HEX_DIGITS / 2) != low) {
            faults.add("webhook-id of another transaction", id + " " + dataId);
        } else if (!call.isAnnounced(sequence) || !body.text(TYPE).is(type(call, sequence))) {
            faults.add("unexpected webhook", call + ": " + id + " " + body.text(TYPE));
        } else if (ledger.announced(number, sequence, high, low) && sequence == call.lastSequence() && load != null) {
            load.announced(ledger.dueAt(number), System.nanoTime());
        }
    }

    private byte[] type(Call call, int sequence) {
        return types.getOrDefault(call.webhookType(sequence), TYPE);
    }

    private static long seconds(Slice timestamp) {
        return Bytes.parseDigits(timestamp.bytes(), timestamp.from(), timestamp.to());
    }
}
