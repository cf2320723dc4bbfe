package dev.ligeiro.infra.standalone;

import dev.ligeiro.infra.brokers.ChildProcess;
import dev.ligeiro.infra.client.MerchantApi;
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

    private final List<UnpackedService> untrained;
    private final Home home;
    private final LocalSystem system;

    /** @param folder its own */
    TrainingRun(List<UnpackedService> services, Path folder, Path root, BiConsumer<String, ChildProcess> onStart) {
        this.untrained =
                services.stream().filter(service -> !service.isTrained()).toList();
        this.home = Home.at(folder);
        this.system = LocalSystem.of(Options.onFreePorts(folder), home, root, services, this::command, onStart);
    }

    private List<String> command(UnpackedService service) {
        return untrained.contains(service) ? service.trainingCommand(trained(service)) : service.command();
    }

    private Path trained(UnpackedService service) {
        return home.folder().resolve(service.kind().module() + ".archive");
    }

    Fleet fleet() {
        return system.fleet();
    }

    /** Returns once it has ended and the archives are written. */
    void run() {
        untrained.forEach(this::unpack);
        boolean archived;
        try {
            fleet().start();
            makeATransaction();
        } finally {
            archived = fleet().stop(ARCHIVED_WITHIN);
        }
        if (!archived) {
            throw new CannotStartException("no archives within %d minutes".formatted(ARCHIVED_WITHIN.toMinutes()));
        }
    }

    /** From now on the services start with their archives. */
    void adopt() {
        untrained.forEach(service -> service.adopt(trained(service)));
    }

    private void unpack(UnpackedService service) {
        service.unpack(home.logs().resolve(service.kind().module() + "-unpacking.out"));
    }

    private void makeATransaction() {
        MerchantApi merchant =
                DemoMerchant.create(system.admin()).api(system.settings().publicUrl());
        String id =
                merchant.createCashin(merchant.cashin("10.11")).required("id").asString();
        long deadline = System.nanoTime() + PAID_WITHIN.toNanos();
        while (!merchant.show(id).required("status").asString().equals("paid")) {
            if (System.nanoTime() > deadline) {
                throw new CannotStartException(
                        "its transaction is not paid within %d s".formatted(PAID_WITHIN.toSeconds()));
            }
            pause();
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
