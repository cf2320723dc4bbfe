package dev.ligeiro.gateway.page.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.gateway.fixture.RunningGateway;
import dev.ligeiro.gateway.fixture.SharedGateway;
import dev.ligeiro.gateway.fixture.TestMerchant;
import dev.ligeiro.gateway.page.docs.PythonLibraries.Output;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tools of others read {@code /openapi.json}: schemathesis, which sends requests that the description permits and others, and a generator
 * of clients. No dispatcher runs, so no webhook is sent to the URLs that schemathesis registers.
 */
@ExtendWith(SharedGateway.class)
@Timeout(900) // the first run downloads the tools
@Tag("nightly")
class DescriptionToolsIT {

    private static final Path FILES = Path.of("src/test/resources/docs").toAbsolutePath();
    private static final String PLATFORM = "7f1c1f0e-0f6d-4a52-9a0e-2f1d2c3b4a59";
    private static final int SEARCH_SECONDS_MAX = 15;
    private static final Duration MAX = Duration.ofSeconds(240);

    private final RunningGateway gateway;
    private final TestMerchant merchant;
    private final PythonLibraries python;
    private final Path folder;

    DescriptionToolsIT(RunningGateway gateway, TestMerchant merchant, @TempDir Path folder) {
        this.gateway = gateway;
        this.merchant = merchant;
        this.python = PythonLibraries.of(FILES.resolve("requirements.txt"));
        this.folder = folder;
    }

    /** The examples have a platform of the merchant, so that they create transactions. */
    @BeforeEach
    void storeTheDescription() throws IOException {
        String description = gateway.api().get("/openapi.json").expect(200).body();
        Files.writeString(folder.resolve("openapi.json"), description.replace(PLATFORM, merchant.platform()));
    }

    @Test
    void schemathesisFindsNoServerErrorAndNoAnswerOutsideTheDescription() {
        Output output = python.run(
                folder,
                MAX,
                List.of(
                        "-m",
                        "schemathesis.cli",
                        "run",
                        "openapi.json",
                        "--url=" + gateway.url(),
                        "--header=Authorization: Bearer " + merchant.key(),
                        "--checks=not_a_server_error,status_code_conformance,content_type_conformance,response_headers_conformance,"
                                + "response_schema_conformance",
                        "--phases=examples,coverage,fuzzing",
                        "--mode=all",
                        "--max-examples=10",
                        "--max-time=" + SEARCH_SECONDS_MAX,
                        "--seed=1",
                        "--no-color"));

        assertThat(output.exitCode()).as(output.text()).isZero();
    }

    @Test
    void aGeneratedClientCreatesShowsAndLists() throws IOException {
        Output generated = python.run(
                folder,
                MAX,
                List.of(
                        "-m",
                        "openapi_python_client",
                        "generate",
                        "--path=openapi.json",
                        "--meta=none",
                        "--output-path=ligeiro_client",
                        "--config=" + FILES.resolve("client.yaml")));
        assertThat(generated.exitCode()).as(generated.text()).isZero();

        // Python finds the client beside the program
        Files.copy(FILES.resolve("client.py"), folder.resolve("client.py"));
        Output used = python.run(folder, MAX, List.of("client.py", gateway.url(), merchant.key(), merchant.platform()));

        assertThat(used.text()).isEqualTo("created, shown, listed\n");
        assertThat(used.exitCode()).isZero();
    }
}
