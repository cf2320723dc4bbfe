package dev.ligeiro.provider;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configuration.EnableWebSecurity;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.GrantedAuthority;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.oauth2.core.AuthorizationGrantType;
import org.springframework.security.oauth2.core.ClientAuthenticationMethod;
import org.springframework.security.oauth2.server.authorization.client.InMemoryRegisteredClientRepository;
import org.springframework.security.oauth2.server.authorization.client.RegisteredClient;
import org.springframework.security.oauth2.server.authorization.client.RegisteredClientRepository;
import org.springframework.security.oauth2.server.authorization.settings.ClientSettings;
import org.springframework.security.oauth2.server.authorization.token.JwtEncodingContext;
import org.springframework.security.oauth2.server.authorization.token.OAuth2TokenCustomizer;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;

/**
 * An OpenID provider (Spring Authorization Server) with the client {@code desk} and two people: {@code ana} of the group {@code support}, and
 * {@code eva} of none. It is in a package of its own, where the desk's component scan does not find it.
 */
public final class TestProvider implements AutoCloseable {

    public static final String CLIENT_SECRET = "the-client-secret-of-the-tests";
    public static final String PASSWORD = "a-password-of-the-tests";

    private final ConfigurableApplicationContext context;

    private TestProvider(ConfigurableApplicationContext context) {
        this.context = context;
    }

    public static TestProvider start(int port, String redirectUri) {
        return new TestProvider(new SpringApplicationBuilder(Application.class)
                .registerShutdownHook(false)
                .run(
                        "--spring.config.name=none",
                        "--spring.main.banner-mode=off",
                        "--gg.jte.use-precompiled-templates=true",
                        "--server.address=127.0.0.1",
                        "--server.port=" + port,
                        "--redirect-uri=" + redirectUri));
    }

    @Override
    public void close() {
        context.close();
    }

    @EnableAutoConfiguration(
            excludeName = {
                "org.springframework.boot.mongodb.autoconfigure.MongoAutoConfiguration",
                "org.springframework.boot.mongodb.autoconfigure.MongoReactiveAutoConfiguration",
                "org.springframework.boot.data.mongodb.autoconfigure.DataMongoAutoConfiguration",
                "org.springframework.boot.data.mongodb.autoconfigure.DataMongoReactiveAutoConfiguration",
                "org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration"
            })
    @EnableWebSecurity
    static class Application {

        @Bean
        SecurityFilterChain provider(HttpSecurity http) throws Exception {
            return http.oauth2AuthorizationServer(server -> server.oidc(Customizer.withDefaults()))
                    .authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
                    .formLogin(Customizer.withDefaults())
                    .build();
        }

        @Bean
        UserDetailsService people() {
            return new InMemoryUserDetailsManager(
                    User.withUsername("ana")
                            .password("{noop}" + PASSWORD)
                            .authorities("support")
                            .build(),
                    User.withUsername("eva").password("{noop}" + PASSWORD).build());
        }

        @Bean
        RegisteredClientRepository clients(@Value("${redirect-uri}") String redirectUri) {
            return new InMemoryRegisteredClientRepository(RegisteredClient.withId(
                            UUID.randomUUID().toString())
                    .clientId("desk")
                    .clientSecret("{noop}" + CLIENT_SECRET)
                    .clientAuthenticationMethod(ClientAuthenticationMethod.CLIENT_SECRET_BASIC)
                    .authorizationGrantType(AuthorizationGrantType.AUTHORIZATION_CODE)
                    .redirectUri(redirectUri)
                    .scopes(scopes -> scopes.addAll(Set.of("openid", "profile", "email")))
                    .clientSettings(
                            ClientSettings.builder().requireProofKey(true).build())
                    .build());
        }

        @Bean
        OAuth2TokenCustomizer<JwtEncodingContext> claims() {
            return token -> {
                List<String> groups = requireNonNull(token.<Authentication>getPrincipal()).getAuthorities().stream()
                        .map(GrantedAuthority::getAuthority)
                        .toList();
                token.getClaims()
                        .claim(
                                "preferred_username",
                                requireNonNull(token.<Authentication>getPrincipal())
                                        .getName())
                        .claim("groups", groups);
            };
        }
    }
}
