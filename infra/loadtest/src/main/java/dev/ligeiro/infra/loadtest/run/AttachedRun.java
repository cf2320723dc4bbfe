package dev.ligeiro.infra.loadtest.run;

import dev.ligeiro.infra.client.MerchantApi;
import dev.ligeiro.infra.loadtest.merchant.CallIdentifiers;
import dev.ligeiro.infra.loadtest.merchant.CallJournal;
import dev.ligeiro.infra.loadtest.merchant.Generator;
import dev.ligeiro.infra.loadtest.system.TargetSystem;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Option;

/** What the commands that load a running system share: their first options, the system, and the journal of their calls. */
public record AttachedRun(LoadTestContext context, CallJournal journal) implements AutoCloseable {

    /** Keep-alive connections of a generator, unless the command says otherwise. */
    public static final int CONNECTIONS = 64;

    /** Set by picocli; the command's resource bundle describes them. */
    public static final class Options {

        @Option(names = "--home", required = true, paramLabel = "DIR")
        Path home = Path.of("");

        @Option(names = "--help", usageHelp = true)
        boolean help;
    }

    public static AttachedRun of(Options options) {
        CallJournal journal = new CallJournal(CallIdentifiers.random());
        return new AttachedRun(LoadTestContext.of(TargetSystem.attach(options.home.toAbsolutePath())), journal);
    }

    /** Makes calls of the run's own merchant. */
    public Generator generator() {
        return generator(List.of(context.merchant()), CONNECTIONS);
    }

    /** Makes calls of these merchants in turn. */
    public Generator generator(List<MerchantApi> merchants, int connections) {
        return new Generator(merchants, connections, journal, context.faults());
    }

    public Measurement measurement(Generator generator) {
        return new Measurement(context, generator, journal);
    }

    @Override
    public void close() {
        context.close();
    }
}
