package dev.ligeiro.infra.loadtest;

import dev.ligeiro.infra.brokers.Polling;
import dev.ligeiro.infra.brokers.Ports;
import dev.ligeiro.infra.client.MerchantApi;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Another merchant, paid at the rate of the measured one, whose endpoints hang, drip a byte a second or refuse connections; also, one
 * endpoint of the measured merchant hangs. The healthy endpoint's webhooks must not be later for it. {@link #close} removes the endpoints.
 */
final class FailingMerchant implements AutoCloseable {

    /** A merchant has at most 20 endpoints. */
    static final int ENDPOINTS_MAX = 20;

    private static final int CONNECTIONS = 16;
    private static final Duration ANSWERED_MAX = Duration.ofSeconds(60);

    private final LoadTestContext context;
    private final MerchantApi merchant;
    private final List<String> endpoints = new ArrayList<>();
    private final String ownEndpoint;
    private final Generator generator;
    private final Load load;

    FailingMerchant(LoadTestContext context, int count, double rate) {
        this.context = context;
        this.merchant = LoadTestContext.newMerchant(context.system().env());
        List<String> urls = List.of(
                context.receiver().url(LoadReceiver.HANG),
                context.receiver().url(LoadReceiver.DRIP),
                "http://127.0.0.1:" + Ports.free());
        for (int i = 0; i < count; i++) {
            endpoints.add(register(merchant, urls.get(i % urls.size()) + "/" + i));
        }
        this.ownEndpoint = register(context.merchant(), context.receiver().url(LoadReceiver.HANG));
        this.generator =
                new Generator(merchant, CONNECTIONS, new CallJournal(CallIdentifiers.random()), context.faults());
        this.load = Load.open(Scenario.PAY, rate, System.nanoTime(), Long.MAX_VALUE, Long.MAX_VALUE);
        generator.start(load);
    }

    private static String register(MerchantApi owner, String url) {
        return owner.register(url).required("id").asString();
    }

    @Override
    public void close() {
        load.cancel();
        Polling.until(load::isAnswered, ANSWERED_MAX);
        generator.close();
        endpoints.forEach(id -> delete(merchant, id));
        delete(context.merchant(), ownEndpoint);
    }

    private static void delete(MerchantApi owner, String id) {
        owner.api().delete(MerchantApi.WEBHOOKS_PATH + "/" + id).expectSuccess();
    }

    @Override
    public String toString() {
        return endpoints.size() + " failing";
    }
}
