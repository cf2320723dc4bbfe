package dev.ligeiro.infra.loadtest.merchant;

import dev.ligeiro.message.EventId;
import io.netty.buffer.ByteBufUtil;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaders;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Checks a webhook's signature, time, id and type, and the {@code reference}, {@code extra} and id of its transaction. An error is a
 * fault, which fails the run. Used by the receiver's thread.
 */
public final class WebhookCheck {

    private static final JsonMapper JSON = new JsonMapper();
    private static final long CLOCK_TOLERANCE_SECONDS = 300;

    private final WebhookSignature signature;
    private final CallJournal journal;
    private final RunFaults faults;
    private final Valid valid;

    /** Takes the webhooks that have passed every check. */
    public interface Valid {
        /** @param number of the call that created the transaction */
        void accept(int number, EventId id, JsonNode body);
    }

    public WebhookCheck(WebhookSignature signature, CallJournal journal, RunFaults faults, Valid valid) {
        this.signature = signature;
        this.journal = journal;
        this.faults = faults;
        this.valid = valid;
    }

    /** For one endpoint: adds each webhook to the journal; the last one of a call finishes a call of the load. */
    static WebhookCheck finishing(Load load, WebhookSignature signature, CallJournal journal, RunFaults faults) {
        return new WebhookCheck(signature, journal, faults, (number, id, body) -> {
            if (journal.addWebhook(number, id.sequence(), id.transactionId().value())
                    && journal.webhookBits(number) == journal.call(number).webhookBits()) {
                load.finishedByWebhook(journal.dueAt(number), System.nanoTime());
            }
        });
    }

    public void accept(FullHttpRequest request) {
        HttpHeaders headers = request.headers();
        String id = headers.get("webhook-id", "");
        String timestamp = headers.get("webhook-timestamp", "");
        byte[] body = ByteBufUtil.getBytes(request.content());
        if (!signature.isValid(id, timestamp, body, headers.get("webhook-signature", ""))) {
            faults.add("webhook with an invalid signature", id);
            return;
        }
        try {
            long age = System.currentTimeMillis() / 1000 - Long.parseLong(timestamp);
            if (Math.abs(age) > CLOCK_TOLERANCE_SECONDS) {
                faults.add("webhook with a wrong timestamp", timestamp);
            } else {
                acceptSigned(EventId.parse(id), JSON.readTree(body));
            }
        } catch (JacksonException | IllegalArgumentException malformed) {
            faults.add("webhook with a malformed timestamp, id or body", id + " " + malformed);
        }
    }

    private void acceptSigned(EventId id, JsonNode body) {
        JsonNode data = body.path("data");
        int number = journal.identifiers().number(data.path("reference").asString(""));
        if (number < 0 || number >= journal.size()) {
            faults.add("webhook of an unknown transaction", id + " " + data.path("reference"));
            return;
        }
        Call call = journal.call(number);
        String type = body.path("type").asString("(none)");
        if (!data.path("extra").asString("").equals(journal.identifiers().extra(number))) {
            faults.add("webhook with a wrong extra", id + " " + data.path("extra"));
        } else if (!data.path("id").asString("").equals(id.transactionId().toString())) {
            faults.add("webhook-id of another transaction", id + " " + data.path("id"));
        } else if (!type.equals(call.webhookType(id.sequence()))) {
            faults.add("unexpected webhook", call.code() + ": " + id + " " + type);
        } else {
            valid.accept(number, id, body);
        }
    }
}
