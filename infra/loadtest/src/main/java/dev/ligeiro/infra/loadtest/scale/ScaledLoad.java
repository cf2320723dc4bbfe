package dev.ligeiro.infra.loadtest.scale;

import dev.ligeiro.infra.loadtest.merchant.Answer;
import dev.ligeiro.infra.loadtest.merchant.Audit;
import dev.ligeiro.infra.loadtest.merchant.Generator;
import dev.ligeiro.infra.loadtest.merchant.Load;
import dev.ligeiro.infra.loadtest.merchant.Scenario;
import dev.ligeiro.infra.loadtest.merchant.Timeline;
import dev.ligeiro.infra.loadtest.run.AttachedRun;
import dev.ligeiro.infra.loadtest.run.LoadTestContext;
import dev.ligeiro.infra.loadtest.system.StoredTransactions;
import dev.ligeiro.infra.loadtest.system.Waits;
import dev.ligeiro.infra.loadtest.webhook.WebhookRun;
import dev.ligeiro.transaction.Tenant;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The load of the command {@code scale}: paid cashins of ten merchants with one endpoint each, in an open loop. Two of the endpoints
 * answer after 300 ms, so that attempts are under way at any time; their webhooks are audited, but their latencies do not count.
 */
final class ScaledLoad implements AutoCloseable {

    private static final int MERCHANTS = 10;
    private static final int SLOW_MERCHANTS = 2;

    private final WebhookRun run;
    private final List<Tenant> tenants;
    private final long auditedSince;
    private final Load load;
    private final Timeline responses;
    private final Timeline webhooks;
    private final Attempts attempts;

    /** Starts the load. */
    ScaledLoad(AttachedRun attached, double rate, int warmSeconds) {
        run = WebhookRun.of(attached, MERCHANTS, 1, (merchant, slot) -> merchant >= SLOW_MERCHANTS, Answer.SLOW);
        StoredTransactions stored = context().stored();
        tenants = run.merchants().stream()
                .map(merchant ->
                        stored.get(LoadTestContext.createCashin(merchant)).tenant())
                .toList();
        auditedSince = System.currentTimeMillis();
        long startAt = System.nanoTime();
        long measuredFrom = startAt + TimeUnit.SECONDS.toNanos(warmSeconds);
        responses = new Timeline(measuredFrom);
        webhooks = new Timeline(measuredFrom);
        load = Load.open(Scenario.PAY, rate, startAt, measuredFrom, Long.MAX_VALUE)
                .withTimelines(responses, webhooks);
        attempts = new Attempts(run.journal(), context().faults(), load);
        run.arrivals().listen(attempts);
        run.generator().start(load);
    }

    /** Returns when the first second of the timelines begins. */
    void awaitWarm() {
        Waits.until(load.measuredFrom());
    }

    /** Ends the load, and audits all its calls. */
    Audit.Result audit() {
        run.attached().measurement(run.generator()).drain(load);
        return context().audit(run.journal(), tenants, auditedSince);
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

    /** Deliveries that were attempted again. */
    long doubled() {
        return run.arrivals().duplicates();
    }

    Generator generator() {
        return run.generator();
    }

    Timeline responses() {
        return responses;
    }

    Timeline webhooks() {
        return webhooks;
    }

    @Override
    public void close() {
        run.generator().close();
    }
}
