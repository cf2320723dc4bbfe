package dev.ligeiro.infra.loadtest;

import dev.ligeiro.message.EventId;
import io.netty.buffer.ByteBufUtil;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Checks the webhooks of one endpoint: the signature (Standard Webhooks 1.0: HMAC-SHA256 of {@code id.timestamp.body}), time, id and type,
 * and the {@code reference}, {@code extra} and id of the transaction. An error is a fault, which fails the run. For one thread.
 *
 * <p>The reference library makes a new {@code Mac} for each webhook, which costs CPU that the system under test lacks; tests compare this
 * class with it.
 */
final class WebhookCheck {

    private static final JsonMapper JSON = new JsonMapper();
    private static final String SECRET_PREFIX = "whsec_";
    private static final String ALGORITHM = "HmacSHA256";
    private static final long CLOCK_TOLERANCE_SECONDS = 300;

    private final Mac mac;
    private final CallJournal journal;
    private final RunFaults faults;
    private final Load load;

    /** @param secret {@code whsec_} and base64 */
    WebhookCheck(String secret, CallJournal journal, Load load, RunFaults faults) {
        if (!secret.startsWith(SECRET_PREFIX)) {
            throw new IllegalArgumentException("secret: without its prefix (expected: whsec_ and base64)");
        }
        try {
            byte[] key = Base64.getDecoder().decode(secret.substring(SECRET_PREFIX.length()));
            mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(key, ALGORITHM));
        } catch (NoSuchAlgorithmException | InvalidKeyException impossible) {
            throw new IllegalStateException("every JDK has " + ALGORITHM, impossible);
        }
        this.journal = journal;
        this.load = load;
        this.faults = faults;
    }

    /** Adds the webhook to the journal; the last one of a call finishes a call of the load. */
    void accept(FullHttpRequest request) {
        HttpHeaders headers = request.headers();
        String id = headers.get("webhook-id", "");
        String timestamp = headers.get("webhook-timestamp", "");
        byte[] body = ByteBufUtil.getBytes(request.content());
        if (!isSigned(id, timestamp, body, headers.get("webhook-signature", ""))) {
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

    /** @param signatures the header, with several signatures while a secret is rotated; one of them must be valid */
    private boolean isSigned(String id, String timestamp, byte[] body, String signatures) {
        mac.update((id + '.' + timestamp + '.').getBytes(StandardCharsets.UTF_8));
        String expected = "v1," + Base64.getEncoder().encodeToString(mac.doFinal(body));
        return Arrays.asList(signatures.split(" ")).contains(expected);
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
            boolean first =
                    journal.addWebhook(number, id.sequence(), id.transactionId().value());
            if (first && journal.webhookBits(number) == call.webhookBits()) {
                load.finishedByWebhook(journal.dueAt(number), System.nanoTime());
            }
        }
    }
}
