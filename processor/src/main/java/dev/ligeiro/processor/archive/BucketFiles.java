package dev.ligeiro.processor.archive;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.NoSuchFileException;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.NoSuchKeyException;

/**
 * A bucket of S3, or of another maker with the same API. Credentials come from where AWS's client looks for them: {@code AWS_ACCESS_KEY_ID},
 * the machine's role and so on.
 */
class BucketFiles implements ArchiveFiles, AutoCloseable {

    private final S3Client client;
    private final String bucket;
    private final String prefix;

    /** @param to {@code s3://bucket/prefix} */
    BucketFiles(URI to, ArchiveProperties.S3 settings) {
        String path = to.getPath().replaceAll("^/|/$", "");
        this.bucket = to.getAuthority();
        this.prefix = path.isEmpty() ? "" : path + "/";
        @Nullable URI endpoint = settings.endpoint();
        this.client = S3Client.builder()
                .httpClientBuilder(UrlConnectionHttpClient.builder())
                .region(Region.of(settings.region()))
                .endpointOverride(endpoint)
                .forcePathStyle(settings.pathStyle())
                // other makers do not have them all; each file is read back by its SHA-256
                .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
                .responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED)
                .build();
    }

    @Override
    public void write(String name, Content content) throws IOException {
        try {
            client.putObject(
                    put -> put.bucket(bucket).key(prefix + name),
                    RequestBody.fromContentProvider(() -> open(content), content.bytes(), "application/octet-stream"));
        } catch (SdkException failure) {
            throw new IOException(name, failure);
        }
    }

    private static InputStream open(Content content) {
        try {
            return content.open();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    @Override
    public InputStream open(String name) throws IOException {
        try {
            return client.getObject(get -> get.bucket(bucket).key(prefix + name));
        } catch (NoSuchKeyException missing) {
            throw new NoSuchFileException(name);
        } catch (SdkException failure) {
            throw new IOException(name, failure);
        }
    }

    @Override
    public void close() {
        client.close();
    }
}
