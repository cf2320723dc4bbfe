package dev.ligeiro.infra.loadtest;

import dev.ligeiro.infra.client.MerchantApi;
import dev.ligeiro.infra.loadtest.merchant.CallIdentifiers;
import dev.ligeiro.infra.loadtest.merchant.CallJournal;
import dev.ligeiro.infra.loadtest.merchant.Generator;
import dev.ligeiro.infra.loadtest.system.TargetSystem;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import picocli.CommandLine.Option;

/** What the commands that load a running system share: their first options, the system, and the journal of their calls. */
record AttachedRun(LoadTestContext context, CallJournal journal) implements AutoCloseable {

    /** Keep-alive connections of a generator, unless the command says otherwise. */
    static final int CONNECTIONS = 64;

    /** Set by picocli; the command's resource bundle describes them. */
    static final class Options {

        @Option(names = "--home", required = true, paramLabel = "DIR")
        Path home = Path.of("");

        @Option(names = "--help", usageHelp = true)
        boolean help;
    }

    static AttachedRun of(Options options) {
        CallJournal journal = new CallJournal(new CallIdentifiers(
                String.format("%08x", ThreadLocalRandom.current().nextInt())));
        return new AttachedRun(LoadTestContext.of(TargetSystem.attach(options.home.toAbsolutePath())), journal);
    }

    /** Makes calls of the run's own merchant. */
    Generator generator() {
        return generator(context.merchant(), CONNECTIONS);
    }

    Generator generator(MerchantApi merchant, int connections) {
        return new Generator(List.of(merchant), connections, journal, context.faults());
    }

    Measurement measurement(Generator generator) {
        return new Measurement(context, generator, journal);
    }

    @Override
    public void close() {
        context.close();
    }
}
