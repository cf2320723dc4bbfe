/** Tests that render the manifests with kustomize, validate them, and compare them with the services' settings and metrics. */
@NullMarked
package dev.ligeiro.infra.kubernetes;

import org.jspecify.annotations.NullMarked;
