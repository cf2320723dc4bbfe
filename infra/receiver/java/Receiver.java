import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Receives Ligeiro's webhooks. Java 17 or later, nothing to install.
 *
 * <pre>WEBHOOK_SECRET=whsec_... java Receiver.java 9000</pre>
 */
public final class Receiver {

    private static final long TOLERANCE_SECONDS = 5 * 60;
    private static final int BODY_BYTES_MAX = 64 * 1024; // mostly 2 kB; 32 kB at most
    private static final int KEY_BYTES_MIN = 24;

    private final String secret;
    private final Verification verification;
    private final Inbox inbox = new Inbox();

    Receiver(String secret, Verification verification) {
        this.secret = secret;
        this.verification = verification;
    }

    interface Verification {
        void verify(String secret, Headers headers, byte[] body) throws Exception;
    }

    public static void main(String[] arguments) throws IOException {
        new Receiver(System.getenv("WEBHOOK_SECRET"), Receiver::verify).receive(Integer.parseInt(arguments[0]));
    }

    /**
     * @param body the received bytes, not parsed and written again
     * @throws GeneralSecurityException if the webhook was not signed with the secret in the last 5 minutes
     */
    static void verify(String secret, Headers headers, byte[] body) throws GeneralSecurityException {
        String timestamp = Objects.requireNonNullElse(headers.getFirst("webhook-timestamp"), "");
        if (!timestamp.matches("[0-9]{1,12}")
                || Math.abs(Instant.now().getEpochSecond() - Long.parseLong(timestamp)) > TOLERANCE_SECONDS) {
            throw new GeneralSecurityException("webhook-timestamp is missing or more than 5 minutes off");
        }
        byte[] key = Base64.getDecoder().decode(secret.replaceFirst("^whsec_", ""));
        if (key.length < KEY_BYTES_MIN) {
            throw new GeneralSecurityException("the receiver's secret is not whsec_ and the base64 of at least 24 bytes");
        }
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(key, "HmacSHA256"));
        mac.update(bytes(headers.getFirst("webhook-id") + "." + timestamp + "."));
        byte[] expected = bytes("v1," + Base64.getEncoder().encodeToString(mac.doFinal(body)));
        // While a secret is rotated, the header has a signature for each of the two secrets, separated by a space.
        String signatures = Objects.requireNonNullElse(headers.getFirst("webhook-signature"), "");
        if (Stream.of(signatures.split(" ")).noneMatch(each -> MessageDigest.isEqual(expected, bytes(each)))) {
            throw new GeneralSecurityException("no signature in webhook-signature fits the secret");
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    void receive(int port) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        server.setExecutor(Executors.newFixedThreadPool(8));
        server.createContext("/", this::handle);
        server.start();
        System.out.println("receiving on port " + port);
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] body = exchange.getRequestBody().readNBytes(BODY_BYTES_MAX);
            try {
                verification.verify(secret, exchange.getRequestHeaders(), body);
            } catch (Exception refused) {
                System.out.println("refused: " + refused.getMessage());
                exchange.sendResponseHeaders(400, -1);
                return;
            }
            // Respond at once: the work on a stored webhook comes later, in another thread or process.
            String id = exchange.getRequestHeaders().getFirst("webhook-id");
            System.out.println((inbox.store(id, body) ? "stored: " : "repeated: ") + id);
            exchange.sendResponseHeaders(204, -1);
        }
    }

    /** Stores each webhook once. In production a table with webhook-id as its primary key: what is in memory is lost in a crash. */
    static final class Inbox {

        private static final int IDS_MAX = 10_000;

        private final Map<String, byte[]> webhooks = new LinkedHashMap<>();

        /** Returns false for a repetition. A repetition is normal: the response to the first one may have been lost. */
        synchronized boolean store(String id, byte[] body) {
            if (webhooks.containsKey(id)) {
                return false;
            }
            if (webhooks.size() == IDS_MAX) {
                webhooks.remove(webhooks.keySet().iterator().next());
            }
            webhooks.put(id, body);
            return true;
        }
    }
}
