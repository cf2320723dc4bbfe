package dev.ligeiro.infra.bank;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Receives notices and demands the bank's certificate. */
final class NoticeReceiver implements AutoCloseable {

    private static final JsonMapper JSON = new JsonMapper();

    private final HttpsServer server;
    private final List<JsonNode> notices = new CopyOnWriteArrayList<>();
    private final List<String> bodies = new CopyOnWriteArrayList<>();
    private final AtomicInteger refusals = new AtomicInteger();

    /** @param demandsCertificate whether a caller without one is refused */
    NoticeReceiver(Bank bank, boolean demandsCertificate) throws IOException {
        SSLContext context = Customer.context(bank.ca(), bank.issue("receiver"));
        server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(context) {
            @Override
            public void configure(HttpsParameters parameters) {
                SSLParameters ssl = context.getDefaultSSLParameters();
                ssl.setNeedClientAuth(demandsCertificate);
                parameters.setSSLParameters(ssl);
            }
        });
        server.createContext("/notices/pix", exchange -> {
            try (exchange) {
                String body = new String(exchange.getRequestBody().readAllBytes(), "UTF-8");
                boolean refused = refusals.getAndUpdate(count -> Math.max(0, count - 1)) > 0;
                if (!refused) {
                    bodies.add(body);
                    JSON.readTree(body).path("pix").forEach(notices::add);
                }
                exchange.sendResponseHeaders(refused ? 500 : 200, -1);
            }
        });
        server.start();
    }

    String url() {
        return "https://localhost:" + server.getAddress().getPort() + "/notices";
    }

    void refuseNext(int calls) {
        refusals.set(calls);
    }

    /** The notices of a Pix, in the order of their arrival. */
    List<JsonNode> of(String e2eId) {
        return notices.stream()
                .filter(notice -> notice.path("endToEndId").asString("").equals(e2eId))
                .toList();
    }

    List<String> bodies() {
        return bodies;
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
