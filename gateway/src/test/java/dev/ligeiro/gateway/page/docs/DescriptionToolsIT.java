package dev.ligeiro.gateway.page.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.gateway.fixture.RunningGateway;
import dev.ligeiro.gateway.fixture.SharedGateway;
import dev.ligeiro.gateway.fixture.TestMerchant;
import dev.ligeiro.infra.brokers.DeepDelete;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
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
        PythonLibraries.Output output = python.run(
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
        PythonLibraries.Output generated = python.run(
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
        PythonLibraries.Output used =
                python.run(folder, MAX, List.of("client.py", gateway.url(), merchant.key(), merchant.platform()));

        assertThat(used.text()).isEqualTo("created, shown, listed\n");
        assertThat(used.exitCode()).isZero();
    }

    /** Python libraries that pip has downloaded once into the user's cache folder. */
    private static final class PythonLibraries {

        private static final Duration INSTALL_MAX = Duration.ofMinutes(10);

        private final Path folder;

        private PythonLibraries(Path folder) {
            this.folder = folder;
        }

        /** @param requirements names every library with its version */
        static PythonLibraries of(Path requirements) {
            try {
                Path folder = cache().resolve("python-" + hash(requirements));
                if (!Files.isDirectory(folder)) {
                    System.out.println(
                            "Downloading the Python libraries of " + requirements + " (once) into " + folder);
                    install(requirements, folder);
                }
                return new PythonLibraries(folder);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        /** What a Python program printed, and how it ended. */
        record Output(int exitCode, String text) {}

        /** Runs {@code python3} with these libraries. A program that takes longer than {@code max} is killed. */
        Output run(Path workingFolder, Duration max, List<String> arguments) {
            List<String> command = new ArrayList<>(List.of("python3"));
            command.addAll(arguments);
            return run(command, workingFolder, max, folder);
        }

        /** Builds the folder under another name first: a killed test leaves no half folder, and two tests at once do no harm. */
        private static void install(Path requirements, Path folder) throws IOException {
            Files.createDirectories(folder.getParent());
            Path unfinished = Files.createTempDirectory(folder.getParent(), "python-unfinished-");
            try {
                List<String> pip = new ArrayList<>(List.of("python3", "-m", "pip", "install", "--quiet", "--no-deps"));
                pip.addAll(List.of("--disable-pip-version-check", "--no-cache-dir", "--only-binary", ":all:"));
                pip.addAll(List.of("--requirement", requirements.toString()));
                pip.addAll(List.of("--target", unfinished.toString()));
                PythonLibraries.Output output = run(pip, unfinished, INSTALL_MAX, unfinished);
                if (output.exitCode() != 0) {
                    throw new AssertionError("pip failed:\n" + output.text());
                }
                Files.move(unfinished, folder, StandardCopyOption.ATOMIC_MOVE);
            } catch (FileSystemException e) {
                if (!Files.isDirectory(folder)) {
                    throw e;
                }
            } finally {
                DeepDelete.delete(unfinished);
            }
        }

        private static Output run(List<String> command, Path workingFolder, Duration max, Path libraries) {
            try {
                Path text = Files.createTempFile("python-", ".out");
                ProcessBuilder builder = new ProcessBuilder(command)
                        .directory(workingFolder.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(text.toFile());
                builder.environment().put("PYTHONPATH", libraries.toString());
                Process process = builder.start();
                boolean ended = process.waitFor(max.toMillis(), TimeUnit.MILLISECONDS);
                if (!ended) {
                    process.destroyForcibly().waitFor();
                }
                PythonLibraries.Output output = new Output(ended ? process.exitValue() : -1, Files.readString(text));
                Files.delete(text);
                return output;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException(e);
            }
        }

        /** The user's cache folder (XDG Base Directory Specification), as for mongod. */
        private static Path cache() {
            String xdg = System.getenv().getOrDefault("XDG_CACHE_HOME", "");
            Path caches = xdg.isBlank() ? Path.of(System.getProperty("user.home"), ".cache") : Path.of(xdg);
            return caches.resolve("ligeiro");
        }

        private static String hash(Path file) throws IOException {
            try {
                byte[] hash = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file));
                return HexFormat.of().formatHex(hash, 0, 6);
            } catch (NoSuchAlgorithmException e) {
                throw new IllegalStateException("every JDK has SHA-256", e);
            }
        }
    }
}
