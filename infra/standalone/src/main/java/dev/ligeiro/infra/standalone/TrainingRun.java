package dev.ligeiro.infra.standalone;

import dev.ligeiro.infra.brokers.ChildProcess;
import dev.ligeiro.infra.brokers.DeepDelete;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;

/**
 * A Ligeiro of its own, below the home and on free ports, that lives for one transaction: its services see what a start and a
 * transaction load, on real brokers, and write their archives when they end.
 */
final class TrainingRun {

    private static final Duration PAID_WITHIN = Duration.ofMinutes(1);
    private static final long POLL_MILLIS = 200;

    /** Three archives are written at once, of which each takes ten seconds of CPU. */
    private static final Duration ARCHIVED_WITHIN = Duration.ofMinutes(3);

    private final List<UnpackedService> services;
    private final Home home;
    private final LocalSystem system;

    /** @param folder its own; what an earlier run left there is removed */
    TrainingRun(List<UnpackedService> services, Path folder, Path root, BiConsumer<String, ChildProcess> onStart) {
        forget(folder);
        this.services = services;
        this.home = Home.at(folder);
        this.system = LocalSystem.of(Options.onFreePorts(folder), home, root, services, this::command, onStart);
    }

    private List<String> command(UnpackedService service) {
        return service.isTrained() ? service.command() : service.trainingCommand(trained(service));
    }

    private Path trained(UnpackedService service) {
        return home.folder().resolve(service.kind().module() + ".archive");
    }

    Fleet fleet() {
        return system.fleet();
    }

    /** Returns once the archives are written and nothing else of it is left. */
    void run() {
        List<UnpackedService> untrained =
                services.stream().filter(service -> !service.isTrained()).toList();
        untrained.forEach(this::unpack);
        try {
            fleet().start();
            makeATransaction();
        } finally {
            fleet().stop(ARCHIVED_WITHIN);
        }
        untrained.forEach(service -> service.adopt(trained(service)));
        forget(home.folder());
    }

    private void unpack(UnpackedService service) {
        service.unpack(home.logs().resolve(service.kind().module() + "-unpacking.out"));
    }

    private void makeATransaction() {
        GatewayApi gateway = system.gateway();
        DemoMerchant merchant = gateway.createDemoMerchant();
        String id = gateway.createPaidCashin(merchant);
        long deadline = System.nanoTime() + PAID_WITHIN.toNanos();
        while (!gateway.isPaid(merchant, id)) {
            if (System.nanoTime() > deadline) {
                throw new CannotStartException(
                        "its transaction is not paid within %d s".formatted(PAID_WITHIN.toSeconds()));
            }
            pause();
        }
    }

    private static void forget(Path folder) {
        try {
            DeepDelete.delete(folder);
        } catch (IOException e) {
            throw new CannotStartException(folder + " cannot be deleted: " + e, e);
        }
    }

    private static void pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CannotStartException("interrupted while training", e);
        }
    }
}
