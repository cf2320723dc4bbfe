package dev.ligeiro.infra.launcher.endtoend;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.infra.client.DemoEnv;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/** Bodies in any form, against both ports of a gateway with the heap of {@code infra/run}. */
@Order(5)
class BodiesIT {

    private static final String FORM = "application/x-www-form-urlencoded";
    private static final String JSON = "application/json";
    private static final int READ_MILLIS_MAX = 20_000;

    private final DemoEnv env = SharedSystem.running().environment();
    private final EndToEndMerchant merchant = SharedSystem.running().newMerchant();

    /** Regression: 60 forms in chunks of one byte ended a gateway in 6 s, on the management port 16. */
    @Test
    void formsInChunksOfOneByteEndNoGateway() throws InterruptedException, ExecutionException {
        byte[] form = chunked("a".repeat(260_000).getBytes(ISO_8859_1), 1);

        List<String> answers = atOnce(IntStream.range(0, 32)
                .<Callable<String>>mapToObj(i -> () -> i % 2 == 0
                        ? send(env.baseUrl(), "POST", "/console/sign-out", FORM, "", form)
                        : send(env.adminUrl(), "POST", "/console/sign-in", FORM, "", form))
                .toList());

        assertThat(answers).allMatch(answer -> answer.isEmpty() || answer.matches("302|401|403|404|413|429|503"));
        assertServes();
    }

    /** The seed is fixed, so that a failure can be repeated. */
    @Test
    void noBodyEndsAGatewayOrIsABug() throws InterruptedException, ExecutionException {
        Random random = new Random(49);
        String transaction = "/api/v1/transaction/00000000-0000-7000-8000-000000000000/";
        List<String> paths = List.of(
                "/api/v1/transaction/pix/cashin",
                "/api/v1/webhooks",
                "/api/v1/console-sessions",
                transaction + "refund",
                transaction + "cancel",
                "/console/sign-out",
                "/console/enter/unknown",
                "/console/sign-in",
                "/console/stops/cashouts",
                "/admin/merchants",
                "/admin/cashouts-stop",
                "/actuator/health",
                "/checkout/00000000-0000-7000-8000-000000000000/events");

        List<String> answers = atOnce(IntStream.range(0, 300)
                .<Callable<String>>mapToObj(i -> {
                    String url = random.nextBoolean() ? env.baseUrl() : env.adminUrl();
                    byte[] body = body(random);
                    String type = one(random, FORM, JSON, "text/plain", FORM + ";charset=UTF-16", "x");
                    String encoding = random.nextInt(10) == 0 ? "Content-Encoding: gzip\r\n" : "";
                    String method = one(random, "POST", "POST", "POST", "PUT", "PATCH", "GET");
                    String path = paths.get(random.nextInt(paths.size()));
                    int chunk = one(random, 1, 1, 3, 1_000);
                    int declared = body.length + one(random, 0, 0, 0, 1, -1, 1_000_000_000);
                    return random.nextBoolean()
                            ? () -> send(url, method, path, type, encoding, chunked(body, chunk))
                            : () -> sendDeclared(url, method, path, type, encoding, Math.max(0, declared), body);
                })
                .toList());

        assertThat(answers).doesNotContain("500");
        assertServes();
    }

    private void assertServes() {
        merchant.createCashin(merchant.cashin("10.00"));
        assertThat(SharedSystem.running().environment().pids().gateway())
                .isEqualTo(env.pids().gateway());
    }

    private static byte[] body(Random random) {
        byte[] body = new byte[one(random, 0, 1, 700, 4_096, 8_193, 65_537)];
        random.nextBytes(body);
        if (random.nextBoolean()) {
            byte[] start =
                    one(random, "a=b&c=%", "{\"amount\":", "[[[[", "a=%C3%28").getBytes(ISO_8859_1);
            System.arraycopy(start, 0, body, 0, Math.min(start.length, body.length));
        }
        return body;
    }

    @SafeVarargs
    private static <T> T one(Random random, T... choices) {
        return choices[random.nextInt(choices.length)];
    }

    private static byte[] chunked(byte[] body, int size) {
        ByteArrayOutputStream chunks = new ByteArrayOutputStream();
        for (int at = 0; at < body.length; at += size) {
            int length = Math.min(size, body.length - at);
            chunks.writeBytes((Integer.toHexString(length) + "\r\n").getBytes(ISO_8859_1));
            chunks.write(body, at, length);
            chunks.writeBytes("\r\n".getBytes(ISO_8859_1));
        }
        chunks.writeBytes("0\r\n\r\n".getBytes(ISO_8859_1));
        return chunks.toByteArray();
    }

    private String send(String url, String method, String path, String type, String header, byte[] chunks) {
        return exchange(url, method, path, type, header + "Transfer-Encoding: chunked", chunks);
    }

    private String sendDeclared(
            String url, String method, String path, String type, String header, int length, byte[] body) {
        return exchange(url, method, path, type, header + "Content-Length: " + length, body);
    }

    /** The status of the response; {@code ""} if the gateway closed the connection. Then the connection's other half is closed. */
    private String exchange(String url, String method, String path, String type, String headers, byte[] body) {
        URI address = URI.create(url);
        String token =
                url.equals(env.adminUrl()) ? env.adminToken() : merchant.api().token();
        String head = method + " " + path + " HTTP/1.1\r\nHost: " + address.getAuthority() + "\r\nOrigin: " + url
                + "\r\nAuthorization: Bearer " + token + "\r\nContent-Type: " + type + "\r\n" + headers + "\r\n\r\n";
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), address.getPort())) {
            socket.setSoTimeout(READ_MILLIS_MAX);
            socket.getOutputStream().write(head.getBytes(ISO_8859_1));
            socket.getOutputStream().write(body);
            socket.shutdownOutput();
            InputStream input = socket.getInputStream();
            String status = new String(input.readNBytes("HTTP/1.1 200".length()), ISO_8859_1);
            return status.substring(Math.min(status.length(), "HTTP/1.1 ".length()));
        } catch (IOException closed) {
            return "";
        }
    }

    private static List<String> atOnce(List<Callable<String>> requests)
            throws InterruptedException, ExecutionException {
        ExecutorService threads = Executors.newFixedThreadPool(32);
        try {
            List<String> answers = new ArrayList<>();
            for (Future<String> answer : threads.invokeAll(requests)) {
                answers.add(answer.get());
            }
            return answers;
        } finally {
            threads.shutdown();
        }
    }
}
