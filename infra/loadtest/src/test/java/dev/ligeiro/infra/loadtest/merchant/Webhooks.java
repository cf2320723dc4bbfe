package dev.ligeiro.infra.loadtest.merchant;

import com.standardwebhooks.Webhook;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpVersion;
import java.nio.charset.StandardCharsets;
import java.time.Instant;

/** Webhooks to test with, signed by the reference library. */
public final class Webhooks {

    public static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

    private Webhooks() {}

    /** Signed now. */
    public static FullHttpRequest request(String path, String id, String body) throws Exception {
        return request(path, id, body, SECRET, System.currentTimeMillis() / 1000);
    }

    static FullHttpRequest request(String path, String id, String body, String secret, long timestamp)
            throws Exception {
        FullHttpRequest request = new DefaultFullHttpRequest(
                HttpVersion.HTTP_1_1, HttpMethod.POST, path, Unpooled.copiedBuffer(body, StandardCharsets.UTF_8));
        request.headers()
                .set("webhook-id", id)
                .set("webhook-timestamp", timestamp)
                .set("webhook-signature", new Webhook(secret).sign(id, timestamp, body));
        return request;
    }

    public static String body(String type, String transaction, String reference, String extra) {
        return "{\"type\":\"%s\",\"timestamp\":\"%s\",\"data\":{\"id\":\"%s\",\"reference\":\"%s\",\"extra\":\"%s\"}}"
                .formatted(type, Instant.now(), transaction, reference, extra);
    }
}
