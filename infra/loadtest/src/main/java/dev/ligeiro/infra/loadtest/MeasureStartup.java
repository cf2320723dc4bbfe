package dev.ligeiro.infra.loadtest;

import dev.ligeiro.infra.brokers.Ports;
import dev.ligeiro.infra.loadtest.audit.StoredTransactions;
import dev.ligeiro.infra.loadtest.generate.Merchant;
import dev.ligeiro.infra.loadtest.observe.Uptime;
import dev.ligeiro.infra.loadtest.system.CannotRunException;
import dev.ligeiro.infra.loadtest.system.MerchantApi;
import dev.ligeiro.infra.loadtest.system.RunningSystem;
import dev.ligeiro.transaction.TransactionId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * From the start of the gateway's process to its first 201: ends the gateway of a system of our own, whose launcher starts it again
 * as it always does, and asks from then on. Asking costs next to nothing: a start wants both cores.
 */
final class MeasureStartup {

    private static final Duration START_MAX = Duration.ofSeconds(120);
    private static final long ASK_EVERY_MILLIS = 5;

    private final RunningSystem system;
    private final MerchantApi api;
    private final Merchant merchant;

    MeasureStartup(RunningSystem system) {
        this.system = system;
        this.api = new MerchantApi(system.env());
        this.merchant = api.createMerchant();
    }

    /** Milliseconds, each start. */
    List<Long> run(int starts) {
        List<Long> millis = new ArrayList<>();
        try (StoredTransactions stored = new StoredTransactions(system.env().get("MONGODB_URI"))) {
            for (int start = 1; start <= starts; start++) {
                millis.add(once(stored));
                Progress.say("startup %d of %d: first 201 after %d ms", start, starts, millis.get(start - 1));
            }
        }
        return millis;
    }

    private long once(StoredTransactions stored) {
        long giveUpAt = System.nanoTime() + START_MAX.toNanos();
        long before = gatewayPid();
        end(before);
        while (true) {
            pause(giveUpAt);
            long pid = gatewayPid();
            Optional<TransactionId> created = pid != before && listens() ? create() : Optional.empty();
            if (created.isPresent()) {
                long millis = Uptime.millis(pid);
                stored.get(created.get());
                return millis;
            }
        }
    }

    private static void end(long pid) {
        ProcessHandle.of(pid).ifPresent(gateway -> {
            gateway.destroy();
            gateway.onExit().join();
        });
    }

    private boolean listens() {
        return Ports.answers(merchant.baseUrl().getPort());
    }

    /** Empty while the gateway is not ready. */
    private Optional<TransactionId> create() {
        try {
            return Optional.of(api.create(merchant));
        } catch (CannotRunException notYet) {
            return Optional.empty();
        }
    }

    private long gatewayPid() {
        List<Long> pids = system.env().pids("GATEWAY_PID");
        if (pids.size() != 1) {
            throw new CannotRunException("startup is measured with one gateway, not " + pids.size());
        }
        return pids.get(0);
    }

    private static void pause(long giveUpAt) {
        if (System.nanoTime() > giveUpAt) {
            throw new CannotRunException("no 201 within " + START_MAX.toSeconds() + " s of the gateway's end");
        }
        try {
            TimeUnit.MILLISECONDS.sleep(ASK_EVERY_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CannotRunException("interrupted", e);
        }
    }
}
