package dev.ligeiro.infra.loadtest.webhook;

import dev.ligeiro.infra.loadtest.merchant.Answer;
import dev.ligeiro.infra.loadtest.merchant.Load;
import dev.ligeiro.infra.loadtest.merchant.Scenario;
import dev.ligeiro.infra.loadtest.run.Progress;
import dev.ligeiro.infra.loadtest.system.CannotRunException;
import dev.ligeiro.infra.loadtest.system.Waits;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Polls the feed during a load. Each reader must see every event of its merchant once, and all readers of it in the same order. */
@Command(
        name = "feed",
        resourceBundle = "dev.ligeiro.infra.loadtest.Webhooks",
        description = "Do readers of GET /api/v1/events see every event once, in one order?")
public final class FeedReaders implements Callable<Integer> {

    private static final Duration POLL = Duration.ofMillis(100);
    private static final Duration LAST_MAX = Duration.ofSeconds(60);

    @Mixin
    private final WebhookRun.Options options = new WebhookRun.Options();

    @Option(names = "--readers", paramLabel = "N", defaultValue = "20")
    private int readerCount;

    @Option(names = "--rate", paramLabel = "N", defaultValue = "200")
    private double rate;

    @Option(names = "--seconds", paramLabel = "S", defaultValue = "120")
    private int seconds;

    @Override
    public Integer call() {
        if (readerCount < 2 * options.merchants) {
            throw new CannotRunException("--readers: " + readerCount + " (expected: at least 2 for each merchant)");
        }
        try (WebhookRun run = WebhookRun.of(options, (merchant, slot) -> true, Answer.AT_ONCE)) {
            List<FeedReader> readers = IntStream.range(0, readerCount)
                    .map(number -> number % options.merchants)
                    .mapToObj(merchant ->
                            new FeedReader(run.merchants().get(merchant).api(), merchant))
                    .toList();
            load(run);
            readers.forEach(FeedReader::finish);
            for (FeedReader reader : readers) {
                Progress.say("  %s", reader);
                FeedReader first = readers.get(reader.merchant());
                reader.audit(
                        run.journal(), options.merchants, first, run.context().faults());
            }
            return run.audit();
        }
    }

    private void load(WebhookRun run) {
        long now = System.nanoTime();
        long to = now + TimeUnit.SECONDS.toNanos(seconds);
        Load load = Load.open(Scenario.PAY, rate, now, now, to);
        run.generator().start(load);
        Waits.until(to);
        Waits.until(() -> load.isAnswered() && run.isComplete(), POLL, LAST_MAX);
    }
}
