/// What a Kubernetes API server does, checked over HTTP alone. The same classes run against the
/// embedded server and against a real kube-apiserver, which is the judge: every expected text here
/// is one that kube-apiserver 1.36 prints.
///
/// A test class of the module under test extends the suites and says where the server is. Each test
/// works in a namespace of its own and assumes nothing about the rest of the cluster.
@NullMarked
package io.berth.apiserver.conformance;

import org.jspecify.annotations.NullMarked;
