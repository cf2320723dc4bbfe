package dev.ligeiro.infra.loadtest.scale;

import dev.ligeiro.infra.client.MerchantApi;
import dev.ligeiro.infra.loadtest.merchant.Answer;
import dev.ligeiro.infra.loadtest.merchant.Audit;
import dev.ligeiro.infra.loadtest.merchant.Generator;
import dev.ligeiro.infra.loadtest.merchant.Load;
import dev.ligeiro.infra.loadtest.merchant.Scenario;
import dev.ligeiro.infra.loadtest.merchant.Timeline;
import dev.ligeiro.infra.loadtest.run.AttachedRun;
import dev.ligeiro.infra.loadtest.run.LoadTestContext;
import dev.ligeiro.infra.loadtest.system.Waits;
import dev.ligeiro.transaction.Tenant;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The load of the command {@code scale}: paid cashins of ten merchants with one endpoint each, in an open loop. Two of the endpoints
 * answer after 300 ms, so that attempts are under way at any time; their webhooks are audited, but their latencies do not count.
 */
final class ScaledLoad implements AutoCloseable {

    private static final int MERCHANTS = 10;
    private static final int SLOW_MERCHANTS = 2;
    private static final Duration POLL = Duration.ofMillis(100);
    private static final Duration DRAIN_MAX = Duration.ofSeconds(90);

    private final AttachedRun run;
    private final List<Tenant> tenants = new ArrayList<>();
    private final long auditedSince;
    private final Load load;
    private final Timeline responses;
    private final Timeline webhooks;
    private final Attempts attempts;
    private final Generator generator;

    /** Starts the load. */
    ScaledLoad(AttachedRun run, double rate, int warmSeconds) {
        this.run = run;
        LoadTestContext context = run.context();
        List<MerchantApi> merchants = new ArrayList<>();
        for (int number = 0; number < MERCHANTS; number++) {
            MerchantApi merchant = LoadTestContext.newMerchant(context.system().env());
            merchants.add(merchant);
            tenants.add(
                    context.stored().get(LoadTestContext.createCashin(merchant)).tenant());
        }
        auditedSince = System.currentTimeMillis();
        List<String> secrets = new ArrayList<>();
        for (int number = 0; number < MERCHANTS; number++) {
            secrets.add(merchants.get(number).registerEndpoint(url(number)));
        }
        long startAt = System.nanoTime();
        long measuredFrom = startAt + TimeUnit.SECONDS.toNanos(warmSeconds);
        responses = new Timeline(measuredFrom);
        webhooks = new Timeline(measuredFrom);
        load = Load.open(Scenario.PAY, rate, startAt, measuredFrom, Long.MAX_VALUE)
                .withTimelines(responses, webhooks);
        attempts = new Attempts(run.journal(), context.faults(), load, MERCHANTS);
        for (int number = 0; number < MERCHANTS; number++) {
            attempts.expect(number, URI.create(url(number)).getPath(), secrets.get(number), answer(number));
        }
        context.receiver().receive(attempts);
        generator = run.generator(merchants, AttachedRun.CONNECTIONS);
        generator.start(load);
    }

    /** Returns when the first second of the timelines begins. */
    void awaitWarm() {
        Waits.until(load.measuredFrom());
    }

    private String url(int merchant) {
        return run.context().receiver().url(answer(merchant)) + "/" + merchant;
    }

    private static Answer answer(int merchant) {
        return merchant < SLOW_MERCHANTS ? Answer.SLOW : Answer.AT_ONCE;
    }

    /** Ends the load, and audits all its calls. */
    Audit.Result audit() {
        LoadTestContext context = run.context();
        load.cancel();
        if (!Waits.until(load::isDrained, POLL, DRAIN_MAX)) {
            context.faults().add("load that does not finish", load.toString());
        }
        Audit audit = new Audit(run.journal(), true, context.faults());
        for (Tenant tenant : tenants) {
            Waits.until(() -> context.stored().countUnaccepted(tenant, auditedSince) == 0, POLL, DRAIN_MAX);
            context.stored().forEachSince(tenant, auditedSince, audit::take);
        }
        return audit.finish();
    }

    LoadTestContext context() {
        return run.context();
    }

    Load load() {
        return load;
    }

    Attempts attempts() {
        return attempts;
    }

    Generator generator() {
        return generator;
    }

    Timeline responses() {
        return responses;
    }

    Timeline webhooks() {
        return webhooks;
    }

    @Override
    public void close() {
        generator.close();
    }
}
