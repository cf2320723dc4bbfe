package dev.ligeiro.infra.loadtest;

import dev.ligeiro.infra.brokers.Ports;
import dev.ligeiro.infra.client.ApiException;
import dev.ligeiro.infra.client.MerchantApi;
import dev.ligeiro.infra.loadtest.audit.StoredTransactions;
import dev.ligeiro.infra.loadtest.observe.Proc;
import dev.ligeiro.infra.loadtest.system.CannotRunException;
import dev.ligeiro.infra.loadtest.system.TargetSystem;
import dev.ligeiro.infra.loadtest.system.Waits;
import dev.ligeiro.transaction.TransactionId;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Measures the time from the start of the gateway's process to its first 201. It ends the gateway; the launcher starts it again; it
 * then asks until the first 201. Asking must cost little CPU, because a start uses both cores.
 */
final class MeasureStartup {

    private static final Duration START_MAX = Duration.ofSeconds(120);
    private static final Duration POLL = Duration.ofMillis(5);

    private final TargetSystem system;
    private final MerchantApi merchant;
    private final int port;

    MeasureStartup(TargetSystem system) {
        this.system = system;
        this.merchant = LoadTestContext.newMerchant(system.env());
        this.port = URI.create(merchant.api().baseUrl()).getPort();
    }

    /** Milliseconds of each start. */
    List<Long> run(int starts) {
        List<Long> millis = new ArrayList<>();
        try (StoredTransactions stored = new StoredTransactions(system.env().mongodbUri())) {
            for (int start = 1; start <= starts; start++) {
                millis.add(measure(stored));
                Progress.say("startup %d of %d: first 201 after %d ms", start, starts, millis.get(start - 1));
            }
        }
        return millis;
    }

    private long measure(StoredTransactions stored) {
        long before = gatewayPid();
        long giveUpAt = System.nanoTime() + START_MAX.toNanos();
        ProcessHandle.of(before).ifPresent(gateway -> {
            gateway.destroy();
            gateway.onExit().join();
        });
        while (System.nanoTime() < giveUpAt) {
            Waits.until(System.nanoTime() + POLL.toNanos());
            long pid = gatewayPid();
            Optional<TransactionId> created = pid != before && Ports.answers(port) ? create() : Optional.empty();
            if (created.isPresent()) {
                long millis = Proc.uptimeMillis(pid);
                stored.get(created.get());
                return millis;
            }
        }
        throw new CannotRunException("no 201 within " + START_MAX.toSeconds() + " s of the gateway's end");
    }

    /** Empty while the gateway is not ready. */
    private Optional<TransactionId> create() {
        try {
            return Optional.of(LoadTestContext.createCashin(merchant));
        } catch (ApiException notReady) {
            return Optional.empty();
        }
    }

    private long gatewayPid() {
        List<Long> pids = system.env().pids().gateway();
        if (pids.size() != 1) {
            throw new CannotRunException("the startup scenario needs one gateway (there are " + pids.size() + ")");
        }
        return pids.get(0);
    }
}
