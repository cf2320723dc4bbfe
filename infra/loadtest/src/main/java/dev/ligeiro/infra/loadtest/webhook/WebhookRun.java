package dev.ligeiro.infra.loadtest.webhook;

import dev.ligeiro.infra.client.JsonApi;
import dev.ligeiro.infra.client.MerchantApi;
import dev.ligeiro.infra.loadtest.merchant.Answer;
import dev.ligeiro.infra.loadtest.merchant.CallJournal;
import dev.ligeiro.infra.loadtest.merchant.Generator;
import dev.ligeiro.infra.loadtest.run.AttachedRun;
import dev.ligeiro.infra.loadtest.run.LoadTestContext;
import dev.ligeiro.infra.loadtest.run.Progress;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiPredicate;
import java.util.stream.Stream;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/**
 * What the webhook commands and {@code scale} share: a running system, merchants with endpoints, a generator of paid cashins, and the
 * webhooks.
 */
public record WebhookRun(
        AttachedRun attached,
        List<MerchantApi> merchants,
        List<Arrivals.Endpoint> endpoints,
        Arrivals arrivals,
        Generator generator)
        implements AutoCloseable {

    /** Set by picocli; {@code Webhooks.properties} describes the options of all webhook commands. */
    static final class Options {

        @Mixin
        final AttachedRun.Options attached = new AttachedRun.Options();

        @Option(names = "--merchants", paramLabel = "N", defaultValue = "20")
        int merchants;

        @Option(names = "--endpoints", paramLabel = "N", defaultValue = "5")
        int endpoints;
    }

    static WebhookRun of(Options options, BiPredicate<Integer, Integer> measured, Answer other) {
        return of(AttachedRun.of(options.attached), options.merchants, options.endpoints, measured, other);
    }

    /**
     * @param merchantCount new merchants
     * @param slots endpoints of each merchant
     * @param measured whether the endpoint of a merchant with a slot counts, both numbered from 0; the others answer like {@code other}
     */
    public static WebhookRun of(
            AttachedRun attached, int merchantCount, int slots, BiPredicate<Integer, Integer> measured, Answer other) {
        LoadTestContext context = attached.context();
        List<MerchantApi> merchants = Stream.generate(
                        () -> LoadTestContext.newMerchant(context.system().env()))
                .limit(merchantCount)
                .toList();
        Arrivals arrivals = new Arrivals(attached.journal(), context.faults(), merchantCount);
        context.receiver().receive(arrivals);
        Generator generator = attached.generator(merchants, AttachedRun.CONNECTIONS);
        WebhookRun run = new WebhookRun(attached, merchants, new ArrayList<>(), arrivals, generator);
        for (int merchant = 0; merchant < merchantCount; merchant++) {
            for (int slot = 0; slot < slots; slot++) {
                boolean counts = measured.test(merchant, slot);
                run.register(merchant, slot, counts ? Answer.AT_ONCE : other, counts);
            }
        }
        return run;
    }

    public LoadTestContext context() {
        return attached.context();
    }

    public CallJournal journal() {
        return attached.journal();
    }

    void register(int merchant, int slot, Answer answer, boolean measured) {
        String url = context().receiver().url(answer) + "/" + merchant + "/" + slot;
        JsonNode made = merchants.get(merchant).register(url);
        String id = made.required("id").asString();
        String secret = made.required("secret").asString();
        Arrivals.Endpoint endpoint = new Arrivals.Endpoint(merchant, slot, id, secret, measured);
        endpoints.add(endpoint);
        arrivals.expect(URI.create(url).getPath(), endpoint);
    }

    void changeUrl(Arrivals.Endpoint endpoint, String url) {
        JsonApi api = merchants.get(endpoint.merchant()).api();
        JsonApi.send(api.json("PATCH", MerchantApi.WEBHOOKS_PATH + "/" + endpoint.id(), Map.of("url", url)))
                .expectSuccess();
    }

    /** Whether every pair of event and measured endpoint has arrived. */
    boolean isComplete() {
        return arrivals.measured() == expected();
    }

    /** The pairs of event and measured endpoint. */
    long expected() {
        int calls = journal().size();
        return endpoints.stream()
                .filter(Arrivals.Endpoint::measured)
                .mapToLong(endpoint -> (calls - endpoint.merchant() + merchants.size() - 1) / merchants.size())
                .sum();
    }

    /** Prints the faults; returns the exit code. */
    int audit() {
        arrivals.audit(endpoints);
        Progress.say(
                "%d events, %d webhooks expected and %d of them arrived, %d duplicates",
                journal().size(), expected(), arrivals.measured(), arrivals.duplicates());
        return context().exitCode();
    }

    @Override
    public void close() {
        generator.close();
        attached.close();
    }
}
